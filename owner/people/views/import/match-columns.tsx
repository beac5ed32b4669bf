import { NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ImportSummary } from '#owner/people/import/import-file.ts'
import { campaignNamed } from '#contract/campaign.ts'
import { errorMessage } from '#owner/desk/views/api/errors.ts'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { answerOf } from '#owner/desk/views/api/send-file.ts'
import { type RouterOutputs, useTRPC } from '#owner/desk/views/api/trpc.ts'
import { counted, formatNumber } from '#owner/desk/views/format/format.ts'
import { go } from '#owner/desk/views/navigation/location.ts'
import { ActionButton } from '#owner/desk/views/parts/actions/action-button.tsx'
import { ConfirmButton } from '#owner/desk/views/parts/actions/confirm-button.tsx'
import { saveAnswer } from '#owner/desk/views/parts/actions/save-file.ts'
import { Fault } from '#owner/desk/views/parts/fault.tsx'
import { LoadingRows } from '#owner/desk/views/parts/outline/rows.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { type ImportWish, useSendImport } from './use-send-import.ts'
import { Values } from './values.tsx'

const columnNames = [
  { column: 'email', label: 'Address' },
  { column: 'signedUpAt', label: 'Signed up' },
  { column: 'consentedAt', label: 'Agreed to news on' },
] as const

interface MatchColumnsProps {
  file: File
  header: RouterOutputs['import']['header']
}

/** Each choice tries the file out: that is all that it sends the file for. */
export function MatchColumns({ file, header }: MatchColumnsProps) {
  const sendImport = useSendImport()
  const [wish, setWish] = useState<ImportWish>({ file, columns: header.columns, meanings: [] })
  const tryOut = useMutation({
    mutationFn: async (tried: ImportWish) =>
      answerOf<ImportSummary>(await sendImport('try-out', tried)),
  })
  const { mutate } = tryOut
  useEffect(() => mutate(wish), [mutate, wish])
  const named = header.names.map((label, index) => ({ value: String(index), label }))
  const match = (column: keyof ImportWish['columns'], position: number | 'none' | undefined) =>
    setWish({ ...wish, columns: { ...wish.columns, [column]: position } })
  return (
    <>
      {tryOut.data && <TriedOut wish={wish} tried={tryOut.data} />}
      {tryOut.isPending && <LoadingRows />}
      <Fault>{errorMessage(tryOut.error)}</Fault>
      {tryOut.data && <Values wish={wish} tried={tryOut.data} onChange={setWish} />}
      <Section heading="The columns">
        <Stack maw={620}>
          {columnNames.map(({ column, label }) => (
            <NativeSelect
              key={column}
              label={label}
              value={wish.columns[column] ?? ''}
              data={[{ value: '', label: 'None' }, ...named]}
              onChange={(event) => match(column, positionOf(event.target.value))}
            />
          ))}
          <NativeSelect
            label="Marks people who unsubscribed"
            description={tryOut.data && describeColumns(tryOut.data)}
            value={wish.columns.status ?? ''}
            data={[
              { value: '', label: 'Found by its name' },
              { value: 'none', label: 'None' },
              ...named,
            ]}
            onChange={({ target: { value } }) =>
              match('status', value === 'none' ? value : positionOf(value))
            }
          />
          <TextInput
            type="date"
            label="All of them agreed to news on"
            description="Only if you can show it. Otherwise only people whose line has a date of consent count as agreed."
            value={wish.consentedOn ?? ''}
            onChange={(event) => setWish({ ...wish, consentedOn: event.target.value || undefined })}
          />
        </Stack>
      </Section>
      {tryOut.data && <Refused wish={wish} tried={tryOut.data} />}
    </>
  )
}

/** The name of the file, without its ending. */
function campaignOf({ name }: File): string {
  return campaignNamed(name.replace(/\.[^.]*$/, ''))
}

function positionOf(value: string): number | undefined {
  return value === '' ? undefined : Number(value)
}

function describeColumns({ permissionColumns, unread }: ImportSummary): string {
  const used = listed(permissionColumns.map(({ name }) => name))
  const sentences = [used === '' ? 'No column is used.' : `Used: ${used}.`]
  if (unread.length > 0) sentences.push(`Not used: ${listed(unread)}.`)
  return sentences.join(' ')
}

function listed(names: readonly string[]): string {
  return names.map((name) => `“${name}”`).join(', ')
}

interface TriedOutProps {
  wish: ImportWish
  tried: ImportSummary
}

/** Tells what would happen. */
function TriedOut({ wish, tried }: TriedOutProps) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const [campaign, setCampaign] = useState(() => campaignOf(wish.file))
  const { added } = tried
  const people = counted(added, 'person', 'people')
  const { onSuccess, onSettled } = followUp({
    refresh: [trpc.people.pathFilter(), trpc.jobs.pathFilter(), trpc.import.undoable.queryFilter()],
    done: 'The import runs in the background.',
  })
  const sendImport = useSendImport()
  const start = useMutation({
    mutationFn: async (chosen: ImportWish) => answerOf(await sendImport('start', chosen)),
    onSuccess: () => {
      onSuccess()
      go('people')
    },
    onSettled,
  })
  return (
    <Section heading={`${people} would be added`} note={describe(tried)}>
      <ConfirmButton
        words={`Import ${people}`}
        variant="filled"
        disabled={added === 0 || tried.unclear > 0}
        mutation={start}
        input={{ ...wish, campaign }}
      >
        <TextInput
          label="Name of this import"
          description="It becomes their campaign, by which you can find them or write to them."
          maxLength={40}
          value={campaign}
          onChange={(event) => setCampaign(event.target.value)}
          data-autofocus
        />
        {tried.unread.length > 0 && (
          <Text>Not used, although it sounds like consent or leaving: {listed(tried.unread)}.</Text>
        )}
        <Text>They get no mail now. Letters reach those who agreed to news.</Text>
      </ConfirmButton>
    </Section>
  )
}

function describe(tried: ImportSummary): string {
  const { known, duplicates, consented, refusedCount, unclear } = tried
  const sentences = [`${formatNumber(consented)} of them agreed to news.`]
  if (unclear > 0) {
    sentences.push(`${counted(unclear, 'line has a value', 'lines have values')} to explain below.`)
  }
  if (known > 0) {
    sentences.push(`${counted(known, 'person is', 'people are')} on the list already.`)
  }
  if (duplicates > 0) {
    sentences.push(`${counted(duplicates, 'line repeats', 'lines repeat')} an address of the file.`)
  }
  if (refusedCount > 0) {
    sentences.push(`${counted(refusedCount, 'line is', 'lines are')} refused.`)
  }
  return sentences.join(' ')
}

/** Below the columns, which may be why. */
function Refused({ wish, tried }: TriedOutProps) {
  const { refusedCount, refusalGroups } = tried
  if (refusedCount === 0) return null
  return (
    <Section
      heading={`${counted(refusedCount, 'line is', 'lines are')} refused`}
      actions={<RefusedLines wish={wish} />}
      rows={refusalGroups.map(({ reason, count, examples }) => ({
        id: reason,
        words: reason,
        note: examples.map(({ line, why }) => <div key={line}>{`Line ${line}: ${why}`}</div>),
        axis: formatNumber(count),
      }))}
    />
  )
}

function RefusedLines({ wish }: Pick<TriedOutProps, 'wish'>) {
  const sendImport = useSendImport()
  const lines = useMutation({
    mutationFn: async (chosen: ImportWish) => saveAnswer(await sendImport('refused-lines', chosen)),
  })
  return (
    <ActionButton mutation={lines} input={wish}>
      All of them as a file
    </ActionButton>
  )
}
