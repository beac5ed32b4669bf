import PostalMime from 'postal-mime'
import type { Answer } from '../http/answer.ts'
import { listPage, mailDocument, mailPage, pagePolicy, mailPolicy } from './local-inbox-page.ts'
import type { LocalInbox } from './local-inbox.ts'

const root = '/dev/inbox'

/** GET /dev/inbox · /dev/inbox/ID · /dev/inbox/ID/html · /dev/inbox/ID.eml. Undefined: no such page. */
export async function answerLocalInbox(inbox: LocalInbox, path: string): Promise<Answer | undefined> {
  if (path === root || path === `${root}/`) return page(listPage(root, await inbox.list()), pagePolicy)
  const [, id = '', view = ''] = /^\/dev\/inbox\/([\w-]+)(\/html|\.eml)?$/.exec(path) ?? []
  const raw = await inbox.read(id)
  if (!raw) return undefined
  if (view === '.eml') return download(id, raw)
  const mail = await PostalMime.parse(raw)
  return view === '/html' ? page(mailDocument(mail), mailPolicy) : page(mailPage(root, id, mail), pagePolicy)
}

function page(body: string, policy: string): Answer {
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policy,
    },
    body,
  }
}

function download(id: string, body: Buffer): Answer {
  return {
    status: 200,
    headers: {
      'content-type': 'message/rfc822',
      'content-disposition': `attachment; filename="${id}.eml"`,
      'cache-control': 'no-store',
    },
    body,
  }
}
