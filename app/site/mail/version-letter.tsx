import type { SiteContent } from '#site/site-content.ts'
import { fill } from '#site/text/fill.ts'
import { placeholder } from '#site/text/placeholders.ts'
import { useContent } from '#site/text/use-content.ts'
import { NewsFoot, renderEmail, type RenderedEmail } from './email-document.tsx'
import { Button, Paragraph } from './email-parts.tsx'

/**
 * The mail around a letter about a new version: it leads to the personal page. {subject},
 * {preview}, {version}, {body} and {reason} are filled when the letter starts; {address}, {kitUrl}
 * and {announcementsUrl} for each recipient.
 */
export function renderVersionLetter(content: SiteContent): RenderedEmail {
  const { announcement: text, letter } = content
  const version = placeholder('version')
  return renderEmail(content, {
    subject: placeholder('subject'),
    preview: placeholder('preview'),
    heading: fill(text.heading, { version }),
    tag: version,
    foot: <NewsFoot end={letter.end} />,
    children: <Body />,
  })
}

function Body() {
  const { announcement: text, brand, whatChanged } = useContent()
  return (
    <>
      <div>{placeholder('body')}</div>
      <div style={{ margin: '24px 0 0' }}>
        <Button href={placeholder('kitUrl')}>{text.button}</Button>
      </div>
      <Paragraph top={24}>{whatChanged.oldScript}</Paragraph>
      <Paragraph top={24}>{brand.creatorName}</Paragraph>
    </>
  )
}
