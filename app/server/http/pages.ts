import { join } from 'node:path'
import type { PageName, RequestValues } from '#pages/pages.tsx'
import type { Config } from '../configuration/config.ts'
import { listProjectFiles, readProjectFile } from '../configuration/project-files.ts'
import { compress } from './compress.ts'
import { escapeHtml } from './escape-html.ts'
import { makeStaticFile, type StaticFile } from './static-files.ts'

export interface Pages {
  landing: StaticFile
  notFound: StaticFile
  /** `parts`: HTML that takes the place of other placeholders. */
  page<Name extends PageName>(
    name: Name,
    values: RequestValues[Name],
    parts?: Readonly<Record<string, string>>,
  ): string
  /** HTML for such a place. Empty: the build made no part of that name. */
  part(name: string, values: Readonly<Record<string, string>>): string
}

/**
 * Reads the pages that the build rendered and fills in what is fixed. The two that never change again are compressed
 * quickly at first, and again at the highest level while the server is already running.
 */
export async function loadPages(dist: string, config: Config): Promise<Pages> {
  const values = placeholderValues(config)
  const names = listProjectFiles(join(dist, 'pages')).filter((name) => name.endsWith('.html'))
  const read = names.map((name): [string, string] => {
    const html = readProjectFile(join(dist, 'pages', name)).toString()
    return [name.slice(0, -'.html'.length), fillPlaceholders(html, values)]
  })
  const byName = new Map(read)
  const html = (name: string) => byName.get(name) ?? ''
  const pages: Pages = {
    landing: await pageFile(html('landing'), 200, 'quick'),
    notFound: await pageFile(html('not-found'), 404, 'quick'),
    page: (name, own, parts) => fillPlaceholders(html(name), own, parts),
    part: (name, own) => fillPlaceholders(html(name), own),
  }
  void pageFile(html('landing'), 200, 'smallest').then((file) => (pages.landing = file))
  void pageFile(html('not-found'), 404, 'smallest').then((file) => (pages.notFound = file))
  return pages
}

/** Writes an endpoint on our own origin as a path, so that the page also works at another name of this machine. */
export function placeholderValues(config: Config) {
  const { publicUrl, functionsUrl, anonKey, supportEmail, resendAfterSeconds } = config
  const { origin, pathname } = new URL(functionsUrl)
  return {
    publicUrl,
    functionsUrl: origin === new URL(publicUrl).origin ? pathname : functionsUrl,
    anonKey,
    supportEmail,
    resendAfterSeconds: String(resendAfterSeconds),
  }
}

/** Puts each part, and each value safe for HTML, in the place of its `{{name}}`; a name without either stays as it is. */
export function fillPlaceholders(
  text: string,
  values: Readonly<Record<string, string>>,
  parts: Readonly<Record<string, string>> = {},
): string {
  return text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => {
    if (parts[name] !== undefined) return parts[name]
    const value = values[name]
    return value === undefined ? placeholder : escapeHtml(value)
  })
}

async function pageFile(html: string, status: number, effort: 'quick' | 'smallest'): Promise<StaticFile> {
  const bytes = Buffer.from(html)
  // Everybody gets the same page. A CDN may keep it for a minute, which bounds how long it names files of an older build.
  const cacheControl = status === 200 ? 'public, max-age=0, s-maxage=60' : 'no-cache'
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': cacheControl }
  return makeStaticFile(bytes, await compress(bytes, effort), headers, status)
}
