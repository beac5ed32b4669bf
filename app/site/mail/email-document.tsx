import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { SiteContent } from '#site/site-content.ts'
import { placeholder, writePlaceholders, writePlaceholdersAsText } from '#site/text/placeholders.ts'
import { ContentContext, useContent } from '#site/text/use-content.ts'
import { emailAsText } from './email-as-text.ts'
import {
  darkAndNarrow,
  useInked,
  mono,
  serif,
  SmallLink,
  SmallPrint,
  Table,
  TwoLines,
} from './email-parts.tsx'

interface EmailProps {
  subject: string
  preview: string
  heading: string
  /** On the dark plate at the right edge. */
  tag?: string | undefined
  /** Above the imprint, in small print. */
  foot: ReactNode
  children: ReactNode
}

export interface RenderedEmail {
  /** The language of its days, as a tag such as fr. */
  language?: string
  subject: string
  html: string
  text: string
}

// Mail programs lay out tables by the rules of this doctype.
const doctype =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">'

/**
 * Renders both parts. `{placeholders}` are filled when the mail is sent, so that the server needs
 * no React.
 */
export function renderEmail(content: SiteContent, email: EmailProps): RenderedEmail {
  const html =
    doctype +
    renderToStaticMarkup(
      <ContentContext value={content}>
        <EmailDocument {...email} />
      </ContentContext>,
    )
  return {
    language: content.brand.language,
    subject: writePlaceholdersAsText(email.subject),
    html: writePlaceholders(html),
    text: writePlaceholdersAsText(emailAsText(html)),
  }
}

/** The foot of mail with news: why it came, and the way out. */
export function NewsFoot({ end }: { end: string }) {
  const { starterEmail } = useContent()
  return (
    <>
      <SmallPrint>{starterEmail.risk}</SmallPrint>
      <SmallPrint top={22}>{placeholder('reason')}</SmallPrint>
      <SmallLink href={placeholder('announcementsUrl')}>{end}</SmallLink>
    </>
  )
}

/** The frame of every mail to subscribers. */
function EmailDocument(email: EmailProps) {
  const { brand, palette } = useContent()
  const { light } = palette
  return (
    <html lang={brand.language} dir="ltr">
      <head>
        <meta charSet="utf-8" />
        <title>{email.subject}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta
          name="format-detection"
          content="telephone=no, date=no, address=no, email=no, url=no"
        />
        <style dangerouslySetInnerHTML={{ __html: darkAndNarrow(palette.dark) }} />
      </head>
      <body className="paper" style={{ margin: 0, padding: 0, backgroundColor: light.paper }}>
        {/* Mail programs show it after the subject; in the mail it is not seen. */}
        <div data-skip-in-text="true" style={{ display: 'none', maxHeight: 0, overflow: 'hidden' }}>
          {email.preview}
        </div>
        <Table className="paper" style={{ backgroundColor: light.paper }}>
          <tr>
            <td align="center" className="sheet" style={{ padding: '24px 20px 40px' }}>
              <Sheet {...email} />
            </td>
          </tr>
        </Table>
      </body>
    </html>
  )
}

function Sheet({ heading, tag, foot, children }: EmailProps) {
  const inked = useInked()
  return (
    <Table style={{ maxWidth: 600, textAlign: 'left' }}>
      <tr>
        <td
          className="cell"
          style={{ padding: '0 24px', overflowWrap: 'anywhere', wordBreak: 'break-word' }}
        >
          <Masthead tag={tag} />
          <h1 {...inked('ink', `normal 38px/42px ${serif}`, { margin: '34px 0 16px' })}>
            {heading}
          </h1>
          {children}
          <Foot>{foot}</Foot>
        </td>
      </tr>
    </Table>
  )
}

function Masthead({ tag }: Pick<EmailProps, 'tag'>) {
  const { brand, palette } = useContent()
  const { light } = palette
  const inked = useInked()
  const colours = { color: light.paper, backgroundColor: light.ink }
  return (
    <>
      <Table>
        <tr>
          <td {...inked('ink', `bold 19px/28px ${serif}`)}>{brand.name}</td>
          {tag && (
            <td align="right" data-skip-in-text="true" aria-hidden="true">
              <span
                className="button"
                style={{
                  display: 'inline-block',
                  padding: '0 12px',
                  font: `13px/26px ${mono}`,
                  ...colours,
                }}
              >
                {tag}
              </span>
            </td>
          )}
        </tr>
      </Table>
      <TwoLines />
    </>
  )
}

function Foot({ children }: { children: ReactNode }) {
  const { brand, landingPage, palette } = useContent()
  const { copyrightYear, name, postalAddress, privacyUrl, imprintUrl } = brand
  const { legalLinks } = landingPage
  return (
    <Table className="rule" style={{ marginTop: 32, borderTop: `1px solid ${palette.light.rule}` }}>
      <tr>
        <td style={{ padding: '20px 0 0' }}>
          {children}
          <SmallPrint>
            © {copyrightYear} {name} · {postalAddress}
          </SmallPrint>
          <SmallLink href={privacyUrl || `${placeholder('publicUrl')}/privacy`}>
            {legalLinks.privacy}
          </SmallLink>
          {imprintUrl && <SmallLink href={imprintUrl}>{legalLinks.imprint}</SmallLink>}
        </td>
      </tr>
    </Table>
  )
}
