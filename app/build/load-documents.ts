import { join } from 'node:path'
import { runnerImport } from 'vite'

type Pages = typeof import('#pages/render-pages.tsx')
type Email = typeof import('#mail/starter-email.tsx')
type Announcement = typeof import('#mail/announcement.tsx')

/** The React documents. Node runs no .tsx, so Vite imports them. */
export async function loadDocuments(
  root: string,
): Promise<
  Pick<Pages, 'renderPages' | 'renderWhatChanged'> &
    Pick<Email, 'renderStarterEmail'> &
    Pick<Announcement, 'renderAnnouncement'>
> {
  const options = { root, logLevel: 'warn' } as const
  const [pages, email, announcement] = await Promise.all([
    runnerImport<Pages>(join(root, 'app/pages/render-pages.tsx'), options),
    runnerImport<Email>(join(root, 'app/mail/starter-email.tsx'), options),
    runnerImport<Announcement>(join(root, 'app/mail/announcement.tsx'), options),
  ])
  return { ...pages.module, ...email.module, ...announcement.module }
}
