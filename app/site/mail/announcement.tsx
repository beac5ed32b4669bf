import type { Content } from '#content/content.ts'
import type { KitRelease } from '#content/releases.ts'
import { fill } from '#site/text/fill.ts'
import { placeholder } from '#site/text/placeholders.ts'
import { useContent } from '#site/text/use-content.ts'
import { NewsFoot, renderEmail, type RenderedEmail } from './email-document.tsx'
import { Button, Paragraph, serif, useInked } from './email-parts.tsx'

/**
 * The mail about a release. {body} and {reason} are filled when it is announced; {address},
 * {kitUrl} and {announcementsUrl} for each recipient.
 */
export function renderAnnouncement(
  content: Content,
  { version, changes }: KitRelease,
): RenderedEmail {
  const text = content.announcement
  return renderEmail(content, {
    subject: fill(text.subject, { version }),
    preview: text.preview,
    heading: fill(text.heading, { version }),
    tag: version,
    foot: <NewsFoot end={text.end} />,
    children: <Body changes={changes} />,
  })
}

function Body({ changes }: Pick<KitRelease, 'changes'>) {
  const { announcement: text, brand, whatChanged } = useContent()
  const inked = useInked()
  return (
    <>
      <Paragraph>{placeholder('body')}</Paragraph>
      <Paragraph top={16}>{text.changes}</Paragraph>
      <ul {...inked('ink', `17px/26px ${serif}`, { margin: '8px 0 24px', padding: '0 0 0 22px' })}>
        {changes.map((change) => (
          <li key={change} style={{ padding: '4px 0' }}>
            {change.replaceAll(/[*`]/g, '')}
          </li>
        ))}
      </ul>
      <Button href={placeholder('kitUrl')}>{text.button}</Button>
      <Paragraph top={24}>{whatChanged.oldScript}</Paragraph>
      <Paragraph top={24}>{brand.creatorName}</Paragraph>
    </>
  )
}
