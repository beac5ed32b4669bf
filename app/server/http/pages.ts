import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PageName, RequestValues } from '#pages/pages.tsx'
import { fillPlaceholders, type PlaceholderTexts } from '#text/fill-placeholders.ts'
import type { Config } from '../configuration/config.ts'
import { prepareFile } from './prepared-file.ts'

export type Pages = Awaited<ReturnType<typeof loadPages>>

/** Reads the pages that the build rendered and fills in what is fixed. */
export async function loadPages(dist: string, config: Config) {
  const values = placeholderValues(config)
  const names = readdirSync(join(dist, 'pages')).filter((name) => name.endsWith('.html'))
  const read = names.map((name): [string, string] => {
    const html = readFileSync(join(dist, 'pages', name), 'utf8')
    return [name.slice(0, -'.html'.length), fillPlaceholders(html, values)]
  })
  const byName = new Map(read)
  const html = (name: string) => byName.get(name) ?? ''
  return {
    // Everybody gets the same page. A CDN may keep it for a minute, which bounds how long it names
    // files of an older build.
    landing: await prepareFile(html('landing'), htmlHeaders('public, max-age=0, s-maxage=60')),
    notFound: await prepareFile(html('not-found'), htmlHeaders('no-cache'), 404),
    /** `parts`: HTML that takes the place of other placeholders. */
    page: <Name extends PageName>(name: Name, own: RequestValues[Name], parts?: PlaceholderTexts) =>
      fillPlaceholders(html(name), own, parts),
    /** HTML for such a place. Empty: the build made no part of that name. */
    part: (name: string, own: PlaceholderTexts) => fillPlaceholders(html(name), own),
  }
}

function htmlHeaders(cacheControl: string) {
  return { 'content-type': 'text/html; charset=utf-8', 'cache-control': cacheControl }
}

/**
 * Writes an endpoint on our own origin as a path, so that the page also works at another name of
 * this machine.
 */
export function placeholderValues(config: Config) {
  const { publicUrl, functionsUrl, anonKey, supportEmail } = config
  const { origin, pathname } = new URL(functionsUrl)
  return {
    publicUrl,
    functionsUrl: origin === new URL(publicUrl).origin ? pathname : functionsUrl,
    anonKey,
    supportEmail,
  }
}
