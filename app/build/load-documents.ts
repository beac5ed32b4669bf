import { join } from 'node:path'
import { runnerImport } from 'vite'
import { withoutEnvFile } from './bundle/in-memory.ts'

export type Documents = Awaited<ReturnType<typeof loadDocuments>>

/** The React documents. Node runs no .tsx, so Vite imports them. */
export async function loadDocuments(root: string) {
  const config = { root, logLevel: 'warn', ...withoutEnvFile } as const
  const load = <Module>(path: string) => runnerImport<Module>(join(root, path), config)
  const [pages, email, announcement, letter] = await Promise.all([
    load<typeof import('#pages/render-pages.tsx')>('app/pages/render-pages.tsx'),
    load<typeof import('#mail/starter-email.tsx')>('app/mail/starter-email.tsx'),
    load<typeof import('#mail/announcement.tsx')>('app/mail/announcement.tsx'),
    load<typeof import('#mail/letter.tsx')>('app/mail/letter.tsx'),
  ])
  return { ...pages.module, ...email.module, ...announcement.module, ...letter.module }
}
