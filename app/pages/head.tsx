import { brand } from '#content/brand.ts'
import { landingPage } from '#content/landing-page.ts'

export interface HeadProps {
  title: string
  /** Undefined: the page is not for search engines. */
  description?: string
  style: string
  font: string
  script: string
  preloads: readonly string[]
}

/** Everything between <head> and </head>. `{{publicUrl}}` is filled by the running server. */
export function Head({ title, description, style, font, script, preloads }: HeadProps) {
  return (
    <head>
      <meta charSet="utf-8" />
      <title>{title}</title>
      <meta name="viewport" content="width=device-width,initial-scale=1" />
      <link rel="preload" href={font} as="font" type="font/woff2" crossOrigin="anonymous" />
      <style dangerouslySetInnerHTML={{ __html: style }} />
      <meta name="color-scheme" content="light dark" />
      <meta name="theme-color" content="#f6f7f3" media="(prefers-color-scheme:light)" />
      <meta name="theme-color" content="#101517" media="(prefers-color-scheme:dark)" />
      {description ? (
        <Findable title={title} description={description} />
      ) : (
        <meta name="robots" content="noindex" />
      )}
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="icon" href="/icon-192.png" type="image/png" sizes="192x192" />
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
      <link rel="manifest" href="/site.webmanifest" />
      {preloads.map((chunk) => (
        <link key={chunk} rel="modulepreload" href={chunk} />
      ))}
      {/* async: what is deferred holds back the end of the document, and on a slow phone the first paint with it. */}
      <script type="module" async src={script} fetchPriority="low" />
    </head>
  )
}

const publicUrl = '{{publicUrl}}'
const shareImage = { url: `${publicUrl}/og.png`, width: '1200', height: '630' }

/** What search engines and link previews read. */
function Findable({ title, description }: { title: string; description: string }) {
  return (
    <>
      <meta name="description" content={description} />
      <link rel="canonical" href={`${publicUrl}/`} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={brand.name} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={`${publicUrl}/`} />
      <meta property="og:image" content={shareImage.url} />
      <meta property="og:image:width" content={shareImage.width} />
      <meta property="og:image:height" content={shareImage.height} />
      <meta property="og:image:alt" content={landingPage.shareImageAlt} />
      <meta name="twitter:card" content="summary_large_image" />
      <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: structuredData(description) }} />
    </>
  )
}

/** schema.org, as JSON-LD. Quotes are safe: the only foreign value is the server's own address. */
function structuredData(description: string): string {
  return JSON.stringify({
    '@context': 'https://schema.org',
    '@type': 'SoftwareApplication',
    name: brand.name,
    description,
    url: `${publicUrl}/`,
    image: shareImage.url,
    applicationCategory: 'FinanceApplication',
    operatingSystem: landingPage.platform,
    offers: { '@type': 'Offer', price: '0', priceCurrency: 'USD' },
  }).replaceAll('<', '\\u003c')
}
