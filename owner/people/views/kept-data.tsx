import type { ReactNode } from 'react'
import type { RouterOutputs } from '#owner/desk/views/api/trpc.ts'
import { formatLongDay, formatTime } from '#owner/desk/views/format/format.ts'
import { Disclosure } from '#owner/desk/views/parts/disclosure.tsx'
import type { RowProps } from '#owner/desk/views/parts/outline/rows.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { campaignTitle, formName } from '../people-words.ts'

interface KeptDataProps {
  person: RouterOutputs['people']['show']
}

export function KeptData({ person }: KeptDataProps) {
  const { signed_up_at: at, announcements_agreed_at: agreedAt, form, words, newsWords } = person
  return (
    <Section
      heading="What is kept"
      rows={[
        row('Signed up', `${formatLongDay(at)}, ${formatTime(at)}`),
        row('Form', form === null ? 'imported' : formName(form)),
        row('Campaign', campaignTitle(person.campaign)),
        row('Language', languageName(person.language)),
        row('Version in their mail', person.version ?? 'None'),
        row('Words they saw', <Wording content={words} summary="The page at sign-up" />),
        row('Wants news', agreedAt === null ? 'No' : `Yes, since ${formatLongDay(agreedAt)}`),
        row('Agreed to', <Wording content={newsWords} summary="Beside the switch" />),
      ]}
    />
  )
}

function row(note: string, words: ReactNode): RowProps {
  return { words, note }
}

function languageName(language: string | null): string | undefined {
  if (language === null) return 'Not known'
  return new Intl.DisplayNames('en', { type: 'language' }).of(language)
}

interface WordingProps {
  /** JSON. Null: none is kept. */
  content: string | null
  summary: string
}

/** The texts that the person saw, each once. */
function Wording({ content, summary }: WordingProps) {
  if (content === null) return <span>None</span>
  const texts = new Set<string>()
  // The reviver is called with each value, however deep it lies.
  JSON.parse(content, (key, value: unknown) => {
    if (typeof value === 'string' && key !== 'language' && key !== 'place') texts.add(value)
  })
  return (
    <Disclosure words={summary}>
      {[...texts].map((text) => (
        <p key={text}>{text}</p>
      ))}
    </Disclosure>
  )
}
