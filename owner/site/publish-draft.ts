import type { Transaction } from '#server/database/database.ts'
import type { ServerContext } from '#server/start/context.ts'
import { publish } from '#server/site/publish.ts'
import { versionLine } from '#site/kit/version-line.ts'
import { asText, valueAt } from '#site/words/description.ts'
import { recordActionIn } from '#owner/acts/audit.ts'
import { CommandError, FieldError } from '#owner/acts/errors.ts'
import { asDifference } from './draft/draft-difference.ts'
import {
  describeDraft,
  type DraftedPage,
  readDraftedPage,
  readSource,
} from './draft/drafted-page.ts'

/**
 * Publishes the draft as the owner looked at it. What is typed or uploaded meanwhile stays in the
 * draft. Throws a CommandError with a sentence if it cannot be published.
 */
export async function publishDraft(
  server: ServerContext,
  revision: number,
): Promise<{ id: number }> {
  const { database } = server
  const page = await readDraftedPage(database)
  const { newest } = page
  if (newest?.state !== 'draft' || newest.revision !== revision) {
    throw new CommandError('The draft was changed on another device. Look at it once more.')
  }
  const { files } = await readSource(database, page)
  if (files.script) checkRelease(page, files.script.bytes)
  const outcome = await publish(server, {
    content: asDifference(page.texts, page.files),
    files,
    about: describeDraft(page),
    draft: newest,
    record: recordPublished(server.now()),
  })
  if (outcome.kind === 'refused') {
    const [first] = outcome.findings
    throw new FieldError(first?.path ?? '', first?.message ?? 'It cannot be published.')
  }
  return { id: outcome.version.id }
}

/** Writes the audit with the version. `at`: ms since 1970. */
export function recordPublished(at: number): (transaction: Transaction) => Promise<void> {
  const entry = { at, action: 'Published the page', about: '' }
  return (transaction) => recordActionIn(transaction, entry)
}

/** Requires what changed: from a script's second version on people are told. */
function checkRelease({ texts }: DraftedPage, script: Uint8Array): void {
  const newest = valueAt(texts['releases'], '0')
  const version = versionLine(script)?.version
  const changes = valueAt(newest, 'changes')
  const isListed = asText(valueAt(newest, 'version')) === version
  if (isListed && Array.isArray(changes) && changes.length === 0 && isSecond(texts)) {
    throw new FieldError('releases', `Say what changed in ${version}.`)
  }
}

function isSecond({ releases }: DraftedPage['texts']): boolean {
  return Array.isArray(releases) && releases.length > 1
}
