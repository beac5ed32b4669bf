import type { ReactNode } from 'react'
import { CreatorNote } from '#pages/landing-page/creator-note.tsx'
import { Footer } from '#pages/landing-page/landing-page.tsx'
import { HowItWorks } from '#pages/landing-page/how-it-works.tsx'
import { WhatsIncluded } from '#pages/landing-page/whats-included/whats-included.tsx'
import type { StaticPart as PrerenderedPart } from '#pages/static-part.tsx'
import { drawChart } from '#kit/chart.ts'

const components: Record<string, () => ReactNode> = {
  'whats-included': WhatsIncluded,
  'how-it-works': HowItWorks,
  'creator-note': CreatorNote,
  footer: Footer,
}

/** Renders in the browser the parts that our build renders. */
export function StaticPart({ as: Tag, name, className, labelledBy }: Parameters<typeof PrerenderedPart>[0]) {
  const Component = components[name]
  const attributes = { className, 'aria-labelledby': labelledBy }
  if (name === 'chart') return <Tag {...attributes} dangerouslySetInnerHTML={{ __html: drawChart() }} />
  return <Tag {...attributes}>{Component && <Component />}</Tag>
}
