import type { ReactNode } from 'react'
import { CreatorNote } from '#site/landing-page/creator-note.tsx'
import { Footer } from '#site/landing-page/footer.tsx'
import { HowItWorks } from '#site/landing-page/how-it-works.tsx'
import { WhatsIncluded } from '#site/landing-page/whats-included.tsx'
import type { StaticPart as PrerenderedPart } from '#site/static-part.tsx'
import { drawChart } from '#starter-kit/chart.ts'

const components: Record<string, () => ReactNode> = {
  'whats-included': WhatsIncluded,
  'how-it-works': HowItWorks,
  'creator-note': CreatorNote,
  footer: Footer,
}

/** What the build renders for us, rendered in the browser. */
export function StaticPart({
  as: Tag,
  name,
  className,
  id,
  labelledBy,
}: Parameters<typeof PrerenderedPart>[0]) {
  const Component = components[name]
  const attributes = { className, id, 'aria-labelledby': labelledBy }
  if (name === 'chart') return <Tag {...attributes} dangerouslySetInnerHTML={{ __html: drawChart() }} />
  return <Tag {...attributes}>{Component && <Component />}</Tag>
}
