import { findPlaceholders } from '#server/placeholders.ts'
import { type Check, type Finding, subject } from './finding.ts'

const about = subject(
  'content.placeholders',
  'Visitors and readers see them; a real postal address in the mail is required by law.',
)

export const contentChecks: Check[] = [
  { about, look: async ({ folder, config }) => [checkContent(folder, config.production)] },
]

/** `[Creator name]` and the like, in any file of content/. */
function checkContent(folder: string, production: boolean): Finding {
  const found = findPlaceholders(folder).map(({ text, place }) => `"${text}" (${place})`)
  if (found.length === 0) return about.ok('No placeholder is left in the files of content/.')
  return (production ? about.wrong : about.look)(
    `Placeholders are left: ${found.join(', ')}.`,
    'Write your own words there, then restart the server: it builds by itself.',
  )
}
