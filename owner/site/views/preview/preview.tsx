import { SegmentedControl, Title } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useEffect } from 'react'
import { Fault } from '#owner/desk/views/parts/fault.tsx'
import { Soft } from '#owner/desk/views/parts/text.tsx'
import type { PageDraft } from '../draft/use-draft.ts'
import { fieldShownAs, guidePageOf } from './find-field.ts'
import { PreviewFrame } from './frame.tsx'
import styles from './preview.module.css'
import { type ShownDocument, usePreview } from './use-preview.ts'

const documents: Record<ShownDocument, string> = {
  page: 'Page',
  'not-found': 'Not found',
  note: 'Note',
  mail: 'Mail',
  'personal-page': 'Personal page',
  guide: 'Guide',
  'share-picture': 'Share picture',
}

const widths = { phone: 'Phone', desktop: 'Desktop' }
const schemes = { light: 'Light', dark: 'Dark' }

interface PreviewProps {
  draft: PageDraft
  /** The field that is chosen. Empty: none. */
  path: string
}

/** The page as visitors would get it, in the bytes that they would get. */
export function Preview({ draft, path }: PreviewProps) {
  const [what, setWhat] = useKept<ShownDocument>('what', 'page')
  const [width, setWidth] = useKept<keyof typeof widths>('width', isNarrow() ? 'phone' : 'desktop')
  const [scheme, setScheme] = useKept<keyof typeof schemes>('scheme', 'light')
  const guidePage = what === 'guide' ? guidePageOf(path, draft.texts, draft.own) : 0
  const { shown, fault } = usePreview(what, guidePage, draft)
  useEffect(() => {
    const shownAs = fieldShownAs(path)
    if (shownAs) setWhat(shownAs)
  }, [path, setWhat])
  return (
    <section aria-label="Preview" className={styles.section}>
      <Title order={2} className={styles.title}>
        Preview
      </Title>
      <Choice label="What" value={what} words={documents} onChange={setWhat} />
      <div className={styles.ways}>
        <Choice label="Width" value={width} words={widths} onChange={setWidth} />
        <Choice label="Scheme" value={scheme} words={schemes} onChange={setScheme} />
      </div>
      <PreviewFrame
        shown={shown}
        isLoading={shown?.what !== what}
        width={width === 'phone' ? 390 : 1280}
        isDark={scheme === 'dark'}
        draft={draft}
        path={path}
      />
      <Fault>{fault}</Fault>
      {shown && <Soft fz={16}>As the next visitor gets it, once published.</Soft>}
    </section>
  )
}

/** Kept per device. */
function useKept<Value extends string>(
  name: string,
  initial: Value,
): [Value, (value: Value) => void] {
  const [value, setValue] = useLocalStorage<Value>({
    key: `desk-preview-${name}`,
    defaultValue: initial,
    getInitialValueInEffect: false,
  })
  return [value, setValue]
}

function isNarrow(): boolean {
  return matchMedia('(max-width: 68.74em)').matches
}

interface ChoiceProps<Value extends string> {
  label: string
  value: Value
  words: Readonly<Record<Value, string>>
  onChange(value: Value): void
}

function Choice<Value extends string>({ label, value, words, onChange }: ChoiceProps<Value>) {
  const values = Object.keys(words) as Value[] // a record has no other
  return (
    <SegmentedControl
      aria-label={label}
      value={value}
      data={values.map((one) => ({ value: one, label: words[one] }))}
      onChange={(chosen) => onChange(chosen)}
    />
  )
}
