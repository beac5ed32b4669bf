import { Button, SegmentedControl, Title } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { Fault } from '#owner/desk/views/parts/fault.tsx'
import { Soft } from '#owner/desk/views/parts/text.tsx'
import type { PageDraft } from '../draft/use-draft.ts'
import { fieldShownAs, guidePageOf } from './shown-as.ts'
import { isNarrow } from '../sheets.tsx'
import { PreviewFrame } from './frame.tsx'
import styles from './preview.module.css'
import { type ShownDocument, usePreview } from './use-preview.ts'

const documents: Record<ShownDocument, string> = {
  page: 'Page',
  'not-found': 'Not found',
  privacy: 'Privacy',
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
  /** A text is typed over in the preview. */
  onPress(path: string): void
  /** A text is to be changed in its field. */
  onOpenField(path: string): void
}

/** The page as visitors would get it, in the bytes that they would get. */
export function Preview({ draft, path, onPress, onOpenField }: PreviewProps) {
  const [what, setWhat] = useKept<ShownDocument>('what', 'page')
  const [width, setWidth] = useKept<keyof typeof widths>('width', isNarrow() ? 'phone' : 'desktop')
  const [scheme, setScheme] = useKept<keyof typeof schemes>('scheme', 'light')
  const guidePage = what === 'guide' ? guidePageOf(path, draft.texts, draft.own) : 0
  const { shown, fault, isCurrent } = usePreview(what, guidePage, draft)
  const pressed = useRef('')
  const [isLarge, setLarge] = useState(false)
  useEffect(() => {
    const shownAs = fieldShownAs(path)
    if (shownAs && path !== pressed.current) setWhat(shownAs)
  }, [path, setWhat])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the button takes it too
    <section
      aria-label="Preview"
      className={styles.section}
      data-large={isLarge || undefined}
      onKeyDown={({ key }) => key === 'Escape' && setLarge(false)}
    >
      <div className={styles.head}>
        <Title order={2} className={styles.title}>
          Preview
        </Title>
        <Button h={44} aria-pressed={isLarge} onClick={() => setLarge(!isLarge)}>
          {isLarge ? 'Close' : 'Open large'}
        </Button>
      </div>
      <Choice label="What" value={what} words={documents} onChange={setWhat} />
      <div className={styles.ways}>
        <Choice label="Width" value={width} words={widths} onChange={setWidth} />
        <Choice label="Scheme" value={scheme} words={schemes} onChange={setScheme} />
      </div>
      <PreviewFrame
        shown={shown}
        isLoading={shown?.what !== what}
        isCurrent={isCurrent}
        width={width === 'phone' ? 390 : desktopWidth(what)}
        isDark={scheme === 'dark'}
        draft={draft}
        path={path}
        onOpenField={(text) => {
          pressed.current = text
          onOpenField(text)
        }}
        onPress={(text) => {
          pressed.current = text
          onPress(text)
        }}
      />
      <Fault>{fault}</Fault>
      {shown && (
        <Soft fz={16}>
          As the next visitor gets it, once published. Press a text to change it here.
        </Soft>
      )}
    </section>
  )
}

/** Mail programs give a mail a part of their window. */
function desktopWidth(what: ShownDocument): number {
  return what === 'mail' ? 680 : 1280
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
