import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { campaignNamed } from '#contract/campaign.ts'
import { startImport } from './import-people.ts'
import { type ReadImport, readImport, requireClear } from './read-import.ts'
import { groupRefusals, type RefusalGroup, refusedLinesFile } from './refused-lines.ts'
import { type TriedImport, tryImport } from './try-import.ts'
import type { Permission } from '../table/mail-permission.ts'
import { type PermissionColumn, unclearIn, type ValueMeaning } from '../table/permission-columns.ts'
import { bytesOf, type DeskRequest } from '#owner/acts/desk-request.ts'

const position = z.coerce.number().int().min(0).max(1_000).optional()

const givenValues = z
  .array(z.string())
  .or(z.string())
  .default([])
  .transform((given) => [given].flat())

/** The query of a request whose body is a file of people. Columns are positions, from 0. */
export const importWish = z.object({
  email: position,
  signedUpAt: position,
  consentedAt: position,
  /** Says who may be mailed. Undefined: columns are found by their names. */
  status: z.literal('none').or(position),
  /** Values that the owner explained, each behind the position of its column: `3:pending`. */
  mailed: givenValues,
  left: givenValues,
  /** The day on which all of them agreed. */
  consentedOn: z.iso.date().optional(),
  /** The name by which they can be found and written to. */
  campaign: z.string().max(200).default(''),
})

/** It changes nothing. */
export const trialWish = importWish.extend({ act: z.enum(['try-out', 'refused-lines']) })

/** The outcome that an import would have. */
export interface ImportSummary {
  added: number
  /** Those of them who agreed to news. */
  consented: number
  known: number
  /** Lines with an address that an earlier line has. */
  duplicates: number
  refusedCount: number
  /** A file may have a million lines that are refused. */
  refusalGroups: RefusalGroup[]
  /** Lines that wait for the meaning of a value. */
  unclear: number
  /** The columns that say who may be mailed. */
  permissionColumns: ExplainedColumn[]
  /** The names of columns that sound like consent or leaving, and are not used. */
  unread: string[]
}

interface ExplainedColumn {
  index: number
  name: string
  /** The owner is asked about it. */
  isAsked: boolean
  values: { value: string; count: number; permission: Permission['kind'] }[]
}

export async function answerTrial(
  deskRequest: DeskRequest,
  { act, ...wish }: z.infer<typeof trialWish>,
): Promise<FastifyReply> {
  const { server, reply } = deskRequest
  const read = await readFile(deskRequest, wish)
  const tried = await tryImport(server.database, read)
  if (act === 'try-out') return reply.send(summarize(tried, read, meaningsIn(wish)))
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', 'attachment; filename="lines-that-were-refused.csv"')
    .send(Readable.from(refusedLinesFile(tried.refused)))
}

export async function answerStart(
  deskRequest: DeskRequest,
  wish: z.infer<typeof importWish>,
): Promise<FastifyReply> {
  const { server, reply } = deskRequest
  const read = await readFile(deskRequest, wish)
  requireClear(read, 'Nothing was imported.')
  const tried = await tryImport(server.database, read)
  const campaign = campaignNamed(wish.campaign)
  await startImport(server.database, tried, { campaign, now: server.now() })
  return reply.send({})
}

/**
 * The file comes as bytes: a call of the API would copy and decode a large one several times while
 * visitors wait.
 */
function readFile(
  { server, request }: DeskRequest,
  wish: z.infer<typeof importWish>,
): Promise<ReadImport> {
  const { email, signedUpAt, consentedAt: agreedAt, status, consentedOn } = wish
  const columns = { email, signedUpAt, consentedAt: agreedAt, status }
  const consentedAt = consentedOn === undefined ? undefined : Date.parse(consentedOn)
  const meanings = meaningsIn(wish)
  return readImport(bytesOf(request), { columns, meanings, consentedAt, now: server.now() })
}

function meaningsIn({ mailed, left }: z.infer<typeof importWish>): ValueMeaning[] {
  return [
    ...mailed.map((given) => meaningIn(given, true)),
    ...left.map((given) => meaningIn(given, false)),
  ]
}

function meaningIn(given: string, mayBeMailed: boolean): ValueMeaning {
  const end = given.indexOf(':')
  return { column: Number(given.slice(0, end)), value: given.slice(end + 1), mayBeMailed }
}

function summarize(
  { wanted, known, duplicates, refused }: TriedImport,
  { permissionColumns, unclear, unread }: ReadImport,
  meanings: readonly ValueMeaning[],
): ImportSummary {
  const explained = new Set(meanings.map(({ column }) => column))
  return {
    added: wanted.length,
    consented: wanted.filter(({ consentedAt }) => consentedAt !== null).length,
    known,
    duplicates,
    refusedCount: refused.length,
    refusalGroups: groupRefusals(refused),
    unclear,
    permissionColumns: permissionColumns.map((column) => ({
      ...describe(column),
      isAsked: column.isChosen || explained.has(column.index) || unclearIn(column).length > 0,
    })),
    unread,
  }
}

function describe({ index, name, values }: PermissionColumn) {
  const said = [...values.values()]
  return {
    index,
    name,
    values: said.map(({ value, count, permission }) => ({
      value,
      count,
      permission: permission.kind,
    })),
  }
}
