import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { brand } from '#content/brand.ts'
import type { KitFile } from '#kit/kit-files.ts'
import { App } from './app.tsx'
import { Head } from './head.tsx'
import type { PageValues } from './page-values.ts'
import { type PageName, pages, type RequestValue } from './pages.tsx'
import { styleFor } from './styles/style-for.ts'

/** Addresses of the hashed files, the start script, and what the build knows of the kit. */
export interface PageAssets {
  /** The source of the script that is inline in every page. */
  startScript: string
  /** The modules that hydrate the page: the first is its entry. */
  modules: readonly string[]
  font: string
  kit: readonly KitFile[]
}

/** Every document of the site, complete but for the `{{placeholders}}` the server fills. */
export function renderPages(assets: PageAssets): Record<PageName, string> {
  const names = Object.keys(pages) as PageName[] // the table has exactly these keys
  return Object.fromEntries(names.map((page) => [page, renderPage(page, assets)])) as Record<PageName, string>
}

function renderPage(page: PageName, assets: PageAssets): string {
  const { title, styles, parts, values, ...more } = pages[page]
  const app = renderToString(<App page={page} values={placeholders(values)} parts={parts(assets.kit)} />)
  return `<!doctype html>${renderToStaticMarkup(
    <html lang="en">
      <Head
        {...more}
        {...assets}
        title={page === 'landing' ? title : `${title} · ${brand.name}`}
        style={styleFor(styles, assets.font)}
      />
      <body
        data-functions-url="{{functionsUrl}}"
        data-anon-key="{{anonKey}}"
        data-support-email="{{supportEmail}}"
        data-resend-after-seconds="{{resendAfterSeconds}}"
      >
        <div
          id="app"
          data-page={page}
          {...Object.fromEntries(values.map((name) => [`data-${name}`, `{{${name}}}`]))}
          dangerouslySetInnerHTML={{ __html: app }}
        />
      </body>
    </html>,
  )}`
}

function placeholders(values: readonly RequestValue[]): PageValues {
  const ofRequest = (name: RequestValue) => (values.includes(name) ? `{{${name}}}` : '')
  return {
    functionsUrl: '{{functionsUrl}}',
    anonKey: '{{anonKey}}',
    supportEmail: '{{supportEmail}}',
    resendAfterSeconds: Number.NaN, // used in the browser only, which reads it from the page
    address: ofRequest('address'),
    form: ofRequest('form'),
    campaign: ofRequest('campaign'),
  }
}
