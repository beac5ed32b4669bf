import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compress } from './compress.ts'
import { escapeHtml } from './escape-html.ts'
import { makeStaticFile, type StaticFile } from './static-files.ts'

/** The pages that are filled for each request, and what with. */
interface RequestValues {
  'result-sent': { address: string }
  'result-already-on-list': { address: string }
  /** The address as typed, to be corrected, which form it was typed into, and the source of that form's page. */
  'result-invalid': { address: string; form: string; source: string }
  /** What was posted, to be tried again. */
  'result-error': { address: string; form: string; campaign: string } | NoValues
  kit: { address: string; token: string }
  unsubscribe: { address: string; token: string }
  unsubscribed: { address: string; token: string }
  erased: NoValues
}

type NoValues = Readonly<Record<string, never>>

export interface Pages {
  landing: StaticFile
  notFound: StaticFile
  page<Name extends keyof RequestValues>(name: Name, values: RequestValues[Name]): string
}

/** Known when the server starts, and the same for every request. */
interface FixedValues {
  publicUrl: string
  anonKey: string
  supportEmail: string
  resendAfterSeconds: number
}

const perRequest: Record<keyof RequestValues, true> = {
  'result-sent': true,
  'result-already-on-list': true,
  'result-invalid': true,
  'result-error': true,
  kit: true,
  unsubscribe: true,
  unsubscribed: true,
  erased: true,
}

/**
 * Reads the pages that the build rendered and fills in what is fixed. The two that never change again are compressed in no
 * time at first, and once more as small as they get while the server is at work already.
 */
export async function loadPages(dist: string, fixed: FixedValues): Promise<Pages> {
  const values = { ...fixed, resendAfterSeconds: String(fixed.resendAfterSeconds) }
  const read = async (name: string) =>
    fillPlaceholders(await readFile(join(dist, 'pages', `${name}.html`), 'utf8'), values)
  const templates = Object.keys(perRequest).map(async (name) => [name, await read(name)] as const)
  const [landing, notFound, ...others] = await Promise.all([read('landing'), read('not-found'), ...templates])
  const byName = new Map(others)
  const pages: Pages = {
    landing: await pageFile(landing, 200, 'quick'),
    notFound: await pageFile(notFound, 404, 'quick'),
    page: (name, own) => fillPlaceholders(byName.get(name) ?? '', own),
  }
  void pageFile(landing, 200, 'smallest').then((file) => (pages.landing = file))
  void pageFile(notFound, 404, 'smallest').then((file) => (pages.notFound = file))
  return pages
}

/** Puts each value, safe for HTML, in the place of its `{{name}}`; a name that has no value stays as it is. */
export function fillPlaceholders(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => {
    const value = values[name]
    return value === undefined ? placeholder : escapeHtml(value)
  })
}

/** The same page for everybody: a CDN may hold it for a minute, which bounds how long it names files of an older build. */
function cacheControl(status: number): string {
  return status === 200 ? 'public, max-age=0, s-maxage=60' : 'no-cache'
}

async function pageFile(html: string, status: number, effort: 'quick' | 'smallest'): Promise<StaticFile> {
  const bytes = Buffer.from(html)
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': cacheControl(status) }
  return makeStaticFile(bytes, await compress(bytes, effort), headers, status)
}
