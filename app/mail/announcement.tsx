import { brand } from '#content/brand.ts'
import { announcementText as text, type KitRelease, whatChanged } from '#content/releases.ts'
import { NewsFoot, renderEmail } from './email-document.tsx'
import { Button, inked, Paragraph, serif } from './email-parts.tsx'

/**
 * The mail about a release. {{body}} and {{reason}} are filled when it is announced; {{address}},
 * {{kitUrl}} and {{announcementsUrl}} for each recipient.
 */
export function renderAnnouncement({ version, changes }: KitRelease) {
  const email = renderEmail({
    subject: text.subject(version),
    preview: text.preview,
    heading: text.heading(version),
    tag: version,
    foot: <NewsFoot end={text.end} />,
    children: <Body changes={changes} />,
  })
  return { version, ...email }
}

function Body({ changes }: Pick<KitRelease, 'changes'>) {
  return (
    <>
      <Paragraph>{'{{body}}'}</Paragraph>
      <Paragraph top={16}>{text.changes}</Paragraph>
      <ul {...inked('ink', `17px/26px ${serif}`, { margin: '8px 0 24px', padding: '0 0 0 22px' })}>
        {changes.map((change) => (
          <li key={change} style={{ padding: '4px 0' }}>
            {change.replaceAll(/[*`]/g, '')}
          </li>
        ))}
      </ul>
      <Button href="{{kitUrl}}">{text.button}</Button>
      <Paragraph top={24}>{whatChanged.oldScript}</Paragraph>
      <Paragraph top={24}>{brand.creatorName}</Paragraph>
    </>
  )
}
