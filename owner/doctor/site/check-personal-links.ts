import { createHash } from 'node:crypto'
import type { Database } from '#server/database/database.ts'
import { findByToken } from '#server/subscribers/subscribers.ts'
import { withDatabase } from '../../command-line/owned-database.ts'
import { readKit } from '../check-content.ts'
import { type CheckContext, NotChecked, type Outcome, type Subject } from '../finding.ts'
import { ask, pageOf } from './ask-site.ts'
import { withTemporarySubscriber } from './temporary-subscriber.ts'

const otherDatabase = 'The site does not know a personal link from this database: it uses another database.'
const sameEnvironment = 'Run the doctor with the same DATABASE_URL as the server.'

export async function checkFileLinks(context: CheckContext, { ok, wrong }: Subject): Promise<Outcome> {
  await pageOf(context, 'The links to script and guide')
  const kit = readKit(context.folder)
  if (!kit)
    throw new NotChecked('This checkout is not built, so there is nothing to compare with.', 'npm run build')
  return withPersonalPage(context, 'files', async (page) => {
    for (const { name, version, sha256 } of kit) {
      const answer = await ask(`${page}/${name}`)
      const bytes = Buffer.from(await answer.arrayBuffer())
      if (answer.status === 404) return wrong(otherDatabase, sameEnvironment)
      if (answer.status !== 200)
        return wrong(
          `The link to ${name} answers with status ${answer.status}.`,
          'The log of the server says why.',
        )
      if (createHash('sha256').update(bytes).digest('hex') !== sha256)
        return wrong(
          `The site serves another ${name} than this checkout, version ${version}.`,
          'Restart the server. A CDN in front must not cache anything below /kit/.',
        )
    }
    return ok(`The links in the mail serve ${kit.map(({ name }) => name).join(' and ')}, unchanged.`)
  })
}

/** Does what a mail program does for its own unsubscribe button: RFC 8058. */
export async function checkOneClick(context: CheckContext, { ok, wrong }: Subject): Promise<Outcome> {
  await pageOf(context, 'One-click unsubscribe')
  return withPersonalPage(context, 'oneClick', async (page, { query }, token) => {
    const answer = await ask(`${page}/unsubscribe`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
    await answer.body?.cancel()
    if (answer.status === 404) return wrong(otherDatabase, sameEnvironment)
    if (answer.status !== 200)
      return wrong(
        `One-click unsubscribe answers with status ${answer.status}.`,
        'Let the proxy pass POST requests below /kit/ to the server without a redirect.',
      )
    const found = await findByToken(query, token)
    if (found?.state === 'unsubscribed')
      return ok('One-click unsubscribe works, tried on a temporary subscriber.')
    return wrong('One-click unsubscribe answers, but nobody is unsubscribed.', sameEnvironment)
  })
}

function withPersonalPage(
  { config, now }: CheckContext,
  check: 'files' | 'oneClick',
  work: (page: string, database: Database, token: string) => Promise<Outcome>,
): Promise<Outcome> {
  return withDatabase(config, (database) =>
    withTemporarySubscriber(database, now(), check, (token) =>
      work(`${config.publicUrl}/kit/${token}`, database, token),
    ),
  )
}
