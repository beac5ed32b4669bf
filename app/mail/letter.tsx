import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { light } from '#content/palette.ts'
import { letterText as text } from '#content/letter.ts'
import { NewsFoot, renderEmail } from './email-document.tsx'
import { inked, Link, mono, Paragraph, serif } from './email-parts.tsx'

export type LetterFrame = ReturnType<typeof renderLetter>

/**
 * The mail around a letter, and the parts that its Markdown becomes. {{subject}}, {{preview}}, {{body}} and {{reason}} are
 * filled when the letter is announced; {{address}} and {{announcementsUrl}} for each recipient.
 */
export function renderLetter() {
  const email = renderEmail({
    subject: '{{subject}}',
    preview: '{{preview}}',
    heading: '{{subject}}',
    tag: text.tag,
    foot: <NewsFoot end={text.end} />,
    children: <div>{'{{body}}'}</div>,
  })
  return { ...email, parts: renderParts() }
}

/** Each part has the name that owner/announcements/letters.ts gives it. */
function renderParts() {
  const content = '{{content}}'
  const list = inked('ink', `17px/26px ${serif}`, { margin: '12px 0 0', padding: '0 0 0 22px' })
  const code = inked('ink', `14px/22px ${mono}`, { margin: '16px 0 0', whiteSpace: 'pre-wrap' })
  const quote = { margin: '16px 0 0', padding: '0 0 0 16px', borderLeft: `4px solid ${light.rule}` }
  const rule = { margin: '24px 0 0', border: 0, borderTop: `1px solid ${light.rule}` }
  const parts = {
    paragraph: <Paragraph top={16}>{content}</Paragraph>,
    heading: <h2 {...inked('ink', `normal 24px/30px ${serif}`, { margin: '28px 0 0' })}>{content}</h2>,
    link: <Link href="{{href}}">{content}</Link>,
    list: <ul {...list}>{content}</ul>,
    orderedList: <ol {...list}>{content}</ol>,
    item: <li style={{ padding: '4px 0' }}>{content}</li>,
    quote: (
      <blockquote className="rule" style={quote}>
        {content}
      </blockquote>
    ),
    code: <pre {...code}>{content}</pre>,
    rule: <hr className="rule" style={rule} />,
  } satisfies Record<string, ReactNode>
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, renderToStaticMarkup(part)]),
  ) as Record<keyof typeof parts, string> // the same names
}
