import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { brand } from '#content/brand.ts'
import { landingPage } from '#content/landing-page.ts'
import { notFoundPage } from '#content/not-found.ts'
import { personalPage } from '#content/personal-page.ts'
import { resultPages } from '#content/result-pages.ts'
import { signUpText } from '#content/sign-up.ts'
import type { KitFile } from '#kit/kit-files.ts'
import { App } from './app.tsx'
import { Head } from './head.tsx'
import type { PageName, PageValues } from './page-values.ts'
import { renderStaticParts } from './render-static-parts.tsx'
import { styleFor } from './styles/style-for.ts'

/** Addresses of the hashed files, and what the build knows of the kit. */
export interface PageAssets {
  script: string
  preloads: string[]
  font: string
  kit: readonly KitFile[]
}

const titles: Record<PageName, string> = {
  landing: landingPage.title,
  'not-found': notFoundPage.title,
  'result-sent': signUpText.toasts.sent.title,
  'result-already-on-list': signUpText.toasts.alreadyOnList.title,
  'result-invalid': resultPages.invalid.heading,
  'result-error': signUpText.toasts.refused.title,
  kit: personalPage.title,
  unsubscribe: resultPages.unsubscribe.heading,
  unsubscribed: resultPages.unsubscribed.heading,
  erased: resultPages.erased.heading,
}

/** Every document of the site, complete but for the `{{placeholders}}` the server fills. */
export function renderPages(assets: PageAssets): Record<PageName, string> {
  const names = Object.keys(titles) as PageName[] // the record above has exactly these keys
  return Object.fromEntries(names.map((page) => [page, renderPage(page, assets)])) as Record<PageName, string>
}

function renderPage(page: PageName, assets: PageAssets): string {
  const isLanding = page === 'landing'
  const title = isLanding ? titles[page] : `${titles[page]} · ${brand.name}`
  const values: PageValues = {
    ...placeholders,
    address: hasAddress(page) ? '{{address}}' : '',
    form: page === 'result-invalid' ? '{{form}}' : '',
    source: page === 'result-invalid' ? '{{source}}' : '',
  }
  const parts = renderStaticParts(page, assets.kit)
  const app = renderToString(<App page={page} values={values} parts={parts} />)
  return `<!doctype html>${renderToStaticMarkup(
    <html lang="en">
      <Head
        {...assets}
        title={title}
        style={styleFor(page, assets.font)}
        {...(isLanding && { description: landingPage.description })}
      />
      <Body page={page} values={values}>
        {app}
      </Body>
    </html>,
  )}`
}

const placeholders = {
  anonKey: '{{anonKey}}',
  supportEmail: '{{supportEmail}}',
  resendAfterSeconds: Number.NaN, // shown in the browser only, where the true number is read from the page
}

function Body({ page, values, children }: { page: PageName; values: PageValues; children: string }) {
  return (
    <body
      data-anon-key={values.anonKey}
      data-support-email={values.supportEmail}
      data-resend-after-seconds="{{resendAfterSeconds}}"
    >
      <div
        id="app"
        data-page={page}
        data-address={values.address || undefined}
        data-form={values.form || undefined}
        data-source={values.source || undefined}
        dangerouslySetInnerHTML={{ __html: children }}
      />
    </body>
  )
}

function hasAddress(page: PageName): boolean {
  return !['landing', 'not-found', 'result-error', 'erased'].includes(page)
}
