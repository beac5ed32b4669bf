import { join } from 'node:path'
import { runnerImport } from 'vite'

/** The React documents. Node runs no .tsx, so Vite imports them. */
export async function loadDocuments(root: string) {
  const load = <Module>(path: string) => runnerImport<Module>(join(root, path), { root, logLevel: 'warn' })
  const [pages, email, announcement] = await Promise.all([
    load<typeof import('#pages/render-pages.tsx')>('app/pages/render-pages.tsx'),
    load<typeof import('#mail/starter-email.tsx')>('app/mail/starter-email.tsx'),
    load<typeof import('#mail/announcement.tsx')>('app/mail/announcement.tsx'),
  ])
  return { ...pages.module, ...email.module, ...announcement.module }
}
