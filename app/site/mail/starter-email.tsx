import { isOffered } from '#content/offer.ts'
import type { SiteContent } from '#site/site-content.ts'
import { Filled } from '#site/text/filled.tsx'
import { placeholder } from '#site/text/placeholders.ts'
import { useContent } from '#site/text/use-content.ts'
import { renderEmail, type RenderedEmail } from './email-document.tsx'
import {
  Button,
  Link,
  mono,
  Paragraph,
  serif,
  SmallPrint,
  Table,
  useInked,
} from './email-parts.tsx'

const kitUrl = placeholder('kitUrl')

/**
 * The mail with {address}, {site}, {date}, {publicUrl}, {kitUrl} and {unsubscribeUrl} still to be
 * filled.
 */
export function renderStarterEmail(content: SiteContent): RenderedEmail {
  const { subject, preview, heading } = content.starterEmail
  return renderEmail(content, {
    subject,
    preview,
    heading,
    foot: <Foot />,
    children: <Body />,
  })
}

function Body() {
  const { brand, fileNames, offer, palette, starterEmail: text } = useContent()
  const { light } = palette
  const inked = useInked()
  return (
    <>
      <Paragraph>{text.opening}</Paragraph>
      <div style={{ marginTop: 24 }}>
        <Button href={`${kitUrl}#script`}>{text.pageButton}</Button>
      </div>
      <Table className="strong" style={{ marginTop: 24, borderTop: `1px solid ${light.ink}` }}>
        <File
          name={fileNames.script}
          href={`${kitUrl}/${fileNames.script}`}
          description={text.scriptDescription}
          link={text.scriptButton}
        />
        <File
          name={fileNames.guide}
          href={`${kitUrl}/${fileNames.guide}`}
          description={text.guideDescription}
          link={text.guideButton}
        />
      </Table>
      <SmallPrint top={14}>{text.announcements}</SmallPrint>
      <h2 {...inked('ink', `normal 22px/28px ${serif}`, { margin: '34px 0 8px' })}>
        {text.stepsHeading}
      </h2>
      <ol className="ink" style={{ margin: 0, padding: '0 0 0 28px', color: light.ink }}>
        {text.steps.map((step) => (
          <li key={step} style={{ padding: '6px 0', font: `14px/24px ${mono}` }}>
            <span style={{ font: `16px/24px ${serif}` }}>{step}</span>
          </li>
        ))}
      </ol>
      <SmallPrint top={14}>
        <Filled text={text.personalPage} yourPage={<Link href={kitUrl}>{text.yourPage}</Link>} />
      </SmallPrint>
      <Paragraph top={30}>{text.help}</Paragraph>
      {isOffered(offer) && (
        <Paragraph top={24}>
          {offer.label}. {offer.title}: {offer.text} <Link href={offer.url}>{offer.linkText}</Link>
        </Paragraph>
      )}
      <Paragraph top={24}>
        <Filled text={text.news} newsLink={<Link href={`${kitUrl}/news`}>{text.newsLink}</Link>} />
      </Paragraph>
      <Paragraph top={24}>{brand.creatorName}</Paragraph>
    </>
  )
}

function File(file: { name: string; description: string; href: string; link: string }) {
  const { light } = useContent().palette
  const inked = useInked()
  const line = { borderBottom: `1px solid ${light.rule}` }
  return (
    <tr>
      <td className="rule stack" style={{ ...line, padding: '16px 12px 16px 0' }}>
        <div {...inked('ink', `14px/20px ${mono}`)}>{file.name}</div>
        <div {...inked('ink2', `16px/22px ${serif}`)}>{file.description}</div>
      </td>
      <td className="rule stack" style={{ ...line, padding: '16px 0' }} width={140}>
        {/* 44 px for a finger */}
        <a
          {...inked('ink', `bold 16px/44px ${serif}`, {
            display: 'inline-block',
            whiteSpace: 'nowrap',
          })}
          href={file.href}
        >
          {file.link}
        </a>
      </td>
    </tr>
  )
}

function Foot() {
  const { starterEmail: text } = useContent()
  return (
    <>
      <SmallPrint>{text.risk}</SmallPrint>
      <SmallPrint top={22}>
        <Filled
          text={text.reason}
          address={placeholder('address')}
          site={placeholder('site')}
          date={placeholder('date')}
          unsubscribe={<Link href={placeholder('unsubscribeUrl')}>{text.unsubscribe}</Link>}
        />
      </SmallPrint>
      <SmallPrint>
        <Link href={`${kitUrl}/block`}>{text.notAskedLink}</Link>
      </SmallPrint>
    </>
  )
}
