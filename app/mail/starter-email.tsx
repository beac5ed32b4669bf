import { brand } from '#content/brand.ts'
import { kit } from '#content/kit.ts'
import { offer } from '#content/offer.ts'
import { light } from '#content/palette.ts'
import { starterEmailText as text } from '#content/starter-email.ts'
import { renderEmail } from './email-document.tsx'
import {
  Button,
  FullStop,
  inked,
  Link,
  mono,
  Paragraph,
  serif,
  SmallPrint,
  Table,
} from './email-parts.tsx'

/**
 * The mail with {{address}}, {{scriptUrl}}, {{guideUrl}}, {{kitUrl}} and {{unsubscribeUrl}} still
 * to be filled.
 */
export const renderStarterEmail = () =>
  renderEmail({ ...text, tag: '0.00', foot: <Foot />, children: <Body /> })

function Body() {
  return (
    <>
      <Paragraph>{text.opening}</Paragraph>
      <div style={{ marginTop: 24 }}>
        <Button href="{{kitUrl}}#script">{text.pageButton}</Button>
      </div>
      <Table className="strong" style={{ marginTop: 24, borderTop: `1px solid ${light.ink}` }}>
        <File
          {...kit.script}
          href="{{scriptUrl}}"
          description={text.scriptDescription}
          link={text.scriptButton}
        />
        <File
          {...kit.guide}
          href="{{guideUrl}}"
          description={text.guideDescription}
          link={text.guideButton}
        />
      </Table>
      <SmallPrint top={14}>
        {text.personalPage} <Link href="{{kitUrl}}">{text.personalPageLink}</Link>
        <FullStop />
      </SmallPrint>
      <SmallPrint>{text.announcements}</SmallPrint>
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
      <Paragraph top={30}>{text.help}</Paragraph>
      {offer && (
        <Paragraph top={24}>
          {offer.title}: {offer.text} <Link href={offer.url}>{offer.linkText}</Link>
        </Paragraph>
      )}
      <Paragraph top={24}>{brand.creatorName}</Paragraph>
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
        {/* 44 px for a finger */}
        <a
          {...inked('ink', `bold 16px/44px ${serif}`, { display: 'inline-block' })}
          href={file.href}
        >
          {file.link}
        </a>
      </td>
    </tr>
  )
}

function Foot() {
  const [before, after] = text.reason
  return (
    <>
      <SmallPrint>{text.risk}</SmallPrint>
      <SmallPrint top={22}>
        {before} {'{{address}}'} {after}{' '}
        <Link href="{{unsubscribeUrl}}">{text.unsubscribeLink}</Link>
        <FullStop />
      </SmallPrint>
      <SmallPrint>
        <Link href="{{kitUrl}}/block">{text.notAskedLink}</Link>
      </SmallPrint>
    </>
  )
}
