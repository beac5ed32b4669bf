import type { PageName, RequestValues } from '#site/pages/page-table.ts'
import { fillPlaceholders, type PlaceholderTexts } from '#site/text/placeholders.ts'
import type { NetworkConfig } from '../settings/config.ts'
import { type PreparedFile, prepareFile } from './prepared-file.ts'

/** Cloudflare hides the addresses in a page from its readers, unless it is told not to. */
export const noTransform = 'no-transform'

/** The pages of a site, with what is the same for every request filled in. */
export interface Templates {
  /**
   * A page with the values of a request. `parts`: HTML that takes the place of other placeholders.
   */
  page<Name extends PageName>(
    name: Name,
    values: RequestValues[Name],
    parts?: PlaceholderTexts,
  ): string
  /** HTML for `parts` of a page, or of another part. */
  part(name: string, values: PlaceholderTexts, parts?: PlaceholderTexts): string
}

export interface Pages extends Templates {
  /** Everybody gets the same bytes. */
  landing: PreparedFile
  notFound: PreparedFile
  /** In the place of the landing page until the owner opens it. */
  opensSoon: PreparedFile
}

/** The values that are the same on every page and differ between sites. */
export interface PageConfig extends Pick<NetworkConfig, 'publicUrl' | 'functionsUrl' | 'anonKey'> {
  supportEmail: string
}

/** The pages without a value of a request. */
type PlainPage = 'landing' | 'not-found' | 'opens-soon'

/** HTML of pages and parts, by name. */
type RenderedPages = Readonly<Record<string, string>>

/** `security`: the headers of a page that everybody gets alike. */
export async function fillPages(
  rendered: RenderedPages,
  config: PageConfig,
  security: (name: PageName) => Record<string, string>,
): Promise<Pages> {
  const templates = fillTemplates(rendered, config)
  const prepare = (name: PlainPage, headers: Record<string, string>, status?: number) =>
    prepareFile(templates.page(name, {}), { ...security(name), ...headers }, status)
  const [landing, notFound, opensSoon] = await Promise.all([
    // A CDN may keep it for a minute, which bounds how long it names files of an older build.
    prepare('landing', htmlHeaders('public, max-age=0, s-maxage=60')),
    prepare('not-found', htmlHeaders('no-cache'), 404),
    prepare('opens-soon', opensSoonHeaders, 503),
  ])
  return { ...templates, landing, notFound, opensSoon }
}

/** Fills in what is fixed. */
export function fillTemplates(rendered: RenderedPages, config: PageConfig): Templates {
  const fixed = placeholderValues(config)
  const templates = new Map<string, string>()
  for (const [name, html] of Object.entries(rendered)) {
    templates.set(name, fillPlaceholders(html, fixed))
  }
  const template = (name: string) => {
    const found = templates.get(name)
    if (found === undefined) throw new Error(`The site has no page or part "${name}"`)
    return found
  }
  return {
    page: (name, values, parts) => fillPlaceholders(template(name), values, parts),
    part: (name, values, parts) => fillPlaceholders(template(name), values, parts),
  }
}

const opensSoonHeaders = {
  ...htmlHeaders('no-store'),
  'retry-after': '3600',
  'x-robots-tag': 'noindex',
}

function htmlHeaders(cacheControl: string): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': `${cacheControl}, ${noTransform}`,
  }
}

/**
 * Writes an endpoint on our own origin as a path, so that the page also works at another name of
 * this machine.
 */
function placeholderValues(config: PageConfig): Record<keyof PageConfig | 'site', string> {
  const { publicUrl, functionsUrl, anonKey, supportEmail } = config
  const { origin, pathname } = new URL(functionsUrl)
  const isOurOrigin = origin === new URL(publicUrl).origin
  return {
    publicUrl,
    site: new URL(publicUrl).host,
    functionsUrl: isOurOrigin ? pathname : functionsUrl,
    anonKey,
    supportEmail,
  }
}
