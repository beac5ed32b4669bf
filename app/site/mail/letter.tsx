import type { HTMLAttributes } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { SiteContent } from '#site/site-content.ts'
import type { Colours } from '#content/palette.ts'
import { placeholder } from '#site/text/placeholders.ts'
import { NewsFoot, renderEmail, type RenderedEmail } from './email-document.tsx'
import { tableOfCells } from './email-as-text.ts'
import { inkedIn, mono, serif } from './email-parts.tsx'

export interface LetterFrame extends RenderedEmail {
  /** The attributes of each element that a letter's Markdown becomes, as they stand in a tag. */
  readonly attributes: Readonly<Record<LetterElement, string>>
}

type LetterElement =
  | 'p'
  | 'h2'
  | 'a'
  | 'ul'
  | 'ol'
  | 'li'
  | 'blockquote'
  | 'pre'
  | 'hr'
  | 'img'
  | 'table'
  | 'th'
  | 'td'

/**
 * The mail around a letter, and the attributes of the elements that its Markdown becomes.
 * {subject}, {preview}, {body} and {reason} are filled in when the letter starts; {address} and
 * {announcementsUrl} for each recipient.
 */
export function renderLetter(content: SiteContent): LetterFrame {
  const { letter, palette } = content
  const email = renderEmail(content, {
    subject: placeholder('subject'),
    preview: placeholder('preview'),
    heading: placeholder('subject'),
    tag: letter.tag,
    foot: <NewsFoot end={letter.end} />,
    children: <div>{placeholder('body')}</div>,
  })
  return { ...email, attributes: renderAttributes(palette.light) }
}

function renderAttributes(light: Colours): LetterFrame['attributes'] {
  const inked = inkedIn(light)
  const list = inked('ink', `17px/26px ${serif}`, {
    margin: '12px 0 0',
    padding: '0 0 0 22px',
  })
  const quote = { margin: '16px 0 0', padding: '0 0 0 16px', borderLeft: `4px solid ${light.rule}` }
  const cell = (font: string) =>
    inked('ink', font, { padding: '6px 16px 6px 0', borderBottom: `1px solid ${light.rule}` })
  const elements = {
    p: inked('ink', `17px/26px ${serif}`, { margin: '16px 0 0' }),
    h2: inked('ink', `normal 24px/30px ${serif}`, { margin: '28px 0 0' }),
    a: { className: 'ink', style: { color: light.ink } },
    ul: list,
    ol: list,
    li: { style: { padding: '4px 0' } },
    blockquote: { className: 'rule', style: quote },
    pre: inked('ink', `14px/22px ${mono}`, { margin: '16px 0 0', whiteSpace: 'pre-wrap' }),
    img: { style: { display: 'block', maxWidth: '100%', height: 'auto', border: 0 } },
    table: {
      className: tableOfCells,
      style: { margin: '16px 0 0', borderCollapse: 'collapse' as const },
    },
    th: cell(`bold 16px/22px ${serif}`),
    td: cell(`16px/22px ${serif}`),
    hr: {
      className: 'rule',
      style: { margin: '24px 0 0', border: 0, borderTop: `1px solid ${light.rule}` },
    },
  }
  return Object.fromEntries(
    Object.entries(elements).map(([name, props]) => [name, attributesOf(props)]),
  ) as LetterFrame['attributes'] // the same names
}

/** React writes the attributes; the tag around them is cut off. */
function attributesOf(props: HTMLAttributes<HTMLElement>): string {
  const element = renderToStaticMarkup(<p {...props} />)
  return element.slice('<p'.length, -'></p>'.length)
}
