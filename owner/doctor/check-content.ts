import { brand } from '#content/brand.ts'
import { findPlaceholders } from '#server/configuration/placeholders.ts'
import { isRelease } from '#server/configuration/project-files.ts'
import { type Check, type Finding, subject } from './finding.ts'

const placeholders = subject(
  'content.placeholders',
  'Visitors and readers see them; a real postal address in the mail is required by law.',
)
const legalPages = subject(
  'content.legal-pages',
  'Where you live the law may ask for a privacy notice and an imprint on a page that collects addresses.',
)

export const contentChecks: Check[] = [
  { about: placeholders, run: ({ folder, config }) => checkPlaceholders(folder, config.production) },
  { about: legalPages, run: ({ config }) => checkLegalPages(brand, config.production) },
]

function checkPlaceholders(folder: string, production: boolean): Finding {
  const found = findPlaceholders(folder)
  if (found.length === 0) return placeholders.ok('No placeholder is left in the files of content/.')
  const list = found.map(({ text, place }) => `"${text}" (${place})`).join(', ')
  return (production ? placeholders.wrong : placeholders.look)(
    `Placeholders are left: ${list}.`,
    isRelease
      ? 'Write your own words there in the project, then package the release again.'
      : 'Write your own words there, then restart the server. It builds the pages again.',
  )
}

type LegalPages = typeof brand & { privacyUrl?: string; imprintUrl?: string }

function checkLegalPages({ privacyUrl, imprintUrl }: LegalPages, production: boolean): Finding {
  const pages = Object.entries({ privacyUrl, imprintUrl })
  const missing = pages.flatMap(([name, url]) => (url ? [] : [name]))
  if (missing.length === 0) return legalPages.ok('Page and mail link your privacy notice and imprint.')
  const what = `content/brand.ts has no ${missing.join(' and no ')}`
  if (!production) return legalPages.ok(`${what} (development).`)
  return legalPages.look(`${what}.`, 'Set it to the address of your page, then restart the server.')
}
