import { render, toPlainText } from '@react-email/render'
import { brand } from '#content/brand.ts'
import { kit } from '#content/kit.ts'
import { legalLinks } from '#content/pages/landing-page.ts'
import { light } from '#content/palette.ts'
import { starterEmailText as text } from '#content/starter-email.ts'
import {
  Button,
  darkAndNarrow,
  FileLink,
  FullStop,
  inked,
  Link,
  mono,
  Paragraph,
  Preview,
  serif,
  SmallPrint,
  Table,
  TwoLines,
} from './email-parts.tsx'

export interface RenderedEmail {
  subject: string
  html: string
  text: string
}

/** Empty: no link. */
type LegalLinks = Pick<typeof brand, 'privacyUrl' | 'imprintUrl'>

/**
 * The mail with {{address}}, {{scriptUrl}}, {{guideUrl}}, {{kitUrl}} and {{unsubscribeUrl}} still to be filled:
 * it is rendered once, by the build, so that the server needs no React.
 */
export async function renderStarterEmail(links: LegalLinks = brand): Promise<RenderedEmail> {
  const html = await render(<StarterEmail links={links} />)
  return { subject: text.subject, html, text: emailAsText(html) }
}

function StarterEmail({ links }: { links: LegalLinks }) {
  return (
    <html lang={brand.language} dir="ltr">
      <head>
        <meta charSet="utf-8" />
        <title>{text.subject}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no" />
        <style dangerouslySetInnerHTML={{ __html: darkAndNarrow }} />
      </head>
      <body className="paper" style={{ margin: 0, padding: 0, backgroundColor: light.paper }}>
        <Preview>{text.preview}</Preview>
        <Table className="paper" style={{ backgroundColor: light.paper }}>
          <tr>
            <td align="center" className="sheet" style={{ padding: '24px 20px 40px' }}>
              <Sheet links={links} />
            </td>
          </tr>
        </Table>
      </body>
    </html>
  )
}

function Sheet({ links }: { links: LegalLinks }) {
  return (
    <Table style={{ maxWidth: 600, textAlign: 'left' }}>
      <tr>
        <td className="cell" style={{ padding: '0 24px' }}>
          <Masthead />
          <Files />
          <Steps />
          <Foot links={links} />
        </td>
      </tr>
    </Table>
  )
}

function Masthead() {
  const colours = { color: light.paper, backgroundColor: light.ink }
  return (
    <>
      <Table>
        <tr>
          <td {...inked('ink', `bold 19px/28px ${serif}`)}>{brand.name}</td>
          <td align="right" data-skip-in-text="true" aria-hidden="true">
            <span
              className="button"
              style={{ display: 'inline-block', padding: '0 12px', font: `13px/26px ${mono}`, ...colours }}
            >
              0.00
            </span>
          </td>
        </tr>
      </Table>
      <TwoLines />
      <h1 {...inked('ink', `normal 38px/42px ${serif}`, { margin: '34px 0 16px' })}>{text.heading}</h1>
      <Paragraph>{text.opening}</Paragraph>
    </>
  )
}

function Files() {
  return (
    <>
      <div style={{ marginTop: 24 }}>
        <Button href="{{kitUrl}}#script">{text.pageButton}</Button>
      </div>
      <Table className="strong" style={{ marginTop: 24, borderTop: `1px solid ${light.ink}` }}>
        <File
          name={kit.script.name}
          description={text.scriptDescription}
          href="{{scriptUrl}}"
          link={text.scriptButton}
        />
        <File
          name={kit.guide.name}
          description={text.guideDescription}
          href="{{guideUrl}}"
          link={text.guideButton}
        />
      </Table>
      <SmallPrint top={14}>
        {text.personalPage} <Link href="{{kitUrl}}">{text.personalPageLink}</Link>
        <FullStop />
      </SmallPrint>
      <SmallPrint>{text.announcements}</SmallPrint>
    </>
  )
}

function File(file: { name: string; description: string; href: string; link: string }) {
  const line = { borderBottom: `1px solid ${light.rule}` }
  return (
    <tr>
      <td className="rule stack" style={{ ...line, padding: '16px 12px 16px 0' }}>
        <div {...inked('ink', `14px/20px ${mono}`)}>{file.name}</div>
        <div {...inked('ink2', `16px/22px ${serif}`)}>{file.description}</div>
      </td>
      <td className="rule stack" style={{ ...line, padding: '16px 0' }} width={140}>
        <FileLink href={file.href}>{file.link}</FileLink>
      </td>
    </tr>
  )
}

function Steps() {
  return (
    <>
      <h2 {...inked('ink', `normal 22px/28px ${serif}`, { margin: '34px 0 8px' })}>{text.stepsHeading}</h2>
      <ol className="ink" style={{ margin: 0, padding: '0 0 0 28px', color: light.ink }}>
        {text.steps.map((step) => (
          <li key={step} style={{ padding: '6px 0', font: `14px/24px ${mono}` }}>
            <span style={{ font: `16px/24px ${serif}` }}>{step}</span>
          </li>
        ))}
      </ol>
      <Paragraph top={30}>{text.help}</Paragraph>
      <Paragraph top={24}>{brand.creatorName}</Paragraph>
    </>
  )
}

function Foot({ links: { privacyUrl, imprintUrl } }: { links: LegalLinks }) {
  const [before, after] = text.reason
  return (
    <Table className="rule" style={{ marginTop: 32, borderTop: `1px solid ${light.rule}` }}>
      <tr>
        <td style={{ padding: '20px 0 0' }}>
          <SmallPrint>{text.risk}</SmallPrint>
          <SmallPrint top={22}>
            {before} {'{{address}}'} {after} <Link href="{{unsubscribeUrl}}">{text.unsubscribeLink}</Link>
            <FullStop />
          </SmallPrint>
          <SmallPrint>
            <Link href="{{kitUrl}}/block">{text.notAskedLink}</Link>
          </SmallPrint>
          <SmallPrint>
            © {brand.copyrightYear} {brand.name} · {brand.postalAddress}
          </SmallPrint>
          {privacyUrl && <LegalLink href={privacyUrl}>{legalLinks.privacy}</LegalLink>}
          {imprintUrl && <LegalLink href={imprintUrl}>{legalLinks.imprint}</LegalLink>}
        </td>
      </tr>
    </Table>
  )
}

/** A separate block, because the text part would join two neighbouring links. */
function LegalLink({ href, children }: { href: string; children: string }) {
  return (
    <SmallPrint>
      <Link href={href} colour="ink2">
        {children}
      </Link>
    </SmallPrint>
  )
}

/** The part of html-to-text that we use; it brings no types. */
interface LinkElement {
  attribs: { href: string }
  children: unknown
}
interface TextBuilder {
  addInline(text: string): void
  addLineBreak(): void
  addLiteral(text: string): void
}
type WalkChildren = (children: unknown, builder: TextBuilder) => void

/** The text part, made from the same document. Each link is on a separate line, so that mail programs link all of it. */
function emailAsText(html: string): string {
  const plainText = toPlainText(html, {
    formatters: { linkOnItsOwnLine },
    selectors: [
      { selector: 'a', format: 'linkOnItsOwnLine' },
      { selector: 'h1', options: { uppercase: false } },
      { selector: 'h2', options: { uppercase: false } },
    ],
  })
  return `${plainText.replaceAll(/\n{3,}/g, '\n\n').trim()}\n`
}

function linkOnItsOwnLine(link: LinkElement, walk: WalkChildren, builder: TextBuilder) {
  walk(link.children, builder)
  builder.addInline(':')
  builder.addLineBreak()
  builder.addLiteral(link.attribs.href)
}
