import { createHash } from 'node:crypto'
import { findByToken } from '#server/subscribers/subscribers.ts'
import { withTemporarySubscriber } from './temporary-subscriber.ts'
import { withDatabase } from '../../command-line/owned-database.ts'
import { ask } from './ask-site.ts'
import { notTried } from './check-site.ts'
import { type Check, type Finding, type CheckContext, subject } from '../finding.ts'
import { readKit } from '../read-kit.ts'

const files = subject('links.files', 'The script and the guide are what people signed up for.')
const oneClick = subject(
  'links.one-click',
  'Gmail and Yahoo show an unsubscribe button and press it for the reader. If it fails, mail lands in spam.',
)
/** Four requests of 5 s each, and the database. */
const limitMs = 40_000

export const personalLinkChecks: Check[] = [
  { about: files, limitMs, run: checkFiles },
  { about: oneClick, limitMs, run: checkOneClick },
]

const otherDatabase = 'The site does not know a personal link from this database: it uses another database.'
const sameEnvironment = 'Run the doctor with the same DATABASE_URL as the server.'

async function checkFiles({ site, config, folder, now }: CheckContext): Promise<Finding> {
  if ((await site).kind !== 'ours') return files.unknown(notTried('The links to script and guide'))
  const kit = readKit(folder)
  if (!kit)
    return files.unknown('This checkout is not built, so there is nothing to compare with.', 'npm run build')
  return withDatabase(config, (database) =>
    withTemporarySubscriber(database, now(), async (token) => {
      for (const { name, version, sha256 } of kit) {
        const answer = await ask(`${config.publicUrl}/kit/${token}/${name}`)
        const bytes = Buffer.from(await answer.arrayBuffer())
        if (answer.status === 404) return files.wrong(otherDatabase, sameEnvironment)
        if (answer.status !== 200)
          return files.wrong(
            `The link to ${name} answers with status ${answer.status}.`,
            'The log of the server says why.',
          )
        if (createHash('sha256').update(bytes).digest('hex') !== sha256)
          return files.wrong(
            `The site serves another ${name} than this checkout, version ${version}.`,
            'Restart the server. A CDN in front must not cache anything below /kit/.',
          )
      }
      return files.ok(`The links in the mail serve ${kit.map(({ name }) => name).join(' and ')}, unchanged.`)
    }),
  )
}

/** Does what a mail program does for its own unsubscribe button: RFC 8058. */
async function checkOneClick({ site, config, now }: CheckContext): Promise<Finding> {
  if ((await site).kind !== 'ours') return oneClick.unknown(notTried('One-click unsubscribe'))
  return withDatabase(config, (database) =>
    withTemporarySubscriber(database, now(), async (token) => {
      const answer = await ask(`${config.publicUrl}/kit/${token}/unsubscribe`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      })
      await answer.body?.cancel()
      if (answer.status === 404) return oneClick.wrong(otherDatabase, sameEnvironment)
      if (answer.status !== 200)
        return oneClick.wrong(
          `One-click unsubscribe answers with status ${answer.status}.`,
          'Let the proxy pass POST requests below /kit/ to the server without a redirect.',
        )
      const found = await findByToken(database.query, token)
      if (found?.state === 'unsubscribed')
        return oneClick.ok('One-click unsubscribe works, tried on a temporary subscriber.')
      return oneClick.wrong('One-click unsubscribe answers, but nobody is unsubscribed.', sameEnvironment)
    }),
  )
}
