import { useCallbackRef, useElementSize } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { allFields } from '#site/words/description.ts'
import { go } from '#owner/desk/views/navigation/location.ts'
import { type PageDraft, wordsAt } from '../draft/use-draft.ts'
import { elementOf, fieldAtElement, fieldShownAs } from './find-field.ts'
import styles from './preview.module.css'
import type { ShownPreview } from './use-preview.ts'

interface PreviewFrameProps {
  /** It is undefined before the first rendering. */
  shown: ShownPreview | undefined
  isLoading: boolean
  /** The width of the window that it is shown as. */
  width: number
  isDark: boolean
  draft: PageDraft
  /** The field that is chosen. */
  path: string
}

/**
 * The frame may be looked into, so that fields and places can be matched, but nothing runs in it,
 * no form is sent and no link leads away. Its document has the desk's content security policy, as
 * every document of `srcdoc` has that of the page around it.
 */
export function PreviewFrame({ shown, isLoading, width, isDark, draft, path }: PreviewFrameProps) {
  const { ref, width: room } = useElementSize()
  const [inner, setInner] = useState<Document | null>(null)
  const scale = Math.min(1, room / width)
  const html = shown && asSeen(shown, isDark)
  const openField = useCallbackRef((pressed: Element) => {
    // A field without a document of its own may be shown in any.
    const fields = allFields().filter(({ path: fieldPath }) => {
      const shownAs = fieldShownAs(fieldPath)
      return shownAs === undefined || shownAs === shown?.what
    })
    const found = fieldAtElement(pressed, fields, draft.texts, draft.own)
    if (found !== undefined) go(`page#${found}`)
  })

  useEffect(() => {
    if (inner && html !== undefined) showDocument(inner, html)
  }, [inner, html])

  useEffect(() => {
    return inner ? watchPresses(inner, openField) : undefined
  }, [inner, openField])

  useEffect(() => {
    if (inner && path !== '') markField(inner, wordsAt(draft, path))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each field that is chosen
  }, [path, isLoading])

  return (
    <div ref={ref} className={styles.box} data-loading={isLoading || undefined}>
      <iframe
        title="Preview"
        sandbox="allow-same-origin"
        srcDoc="<!doctype html>"
        onLoad={({ currentTarget }) => setInner(currentTarget.contentDocument)}
        className={styles.frame}
        style={{
          width,
          height: `${100 / scale}%`,
          transform: `scale(${scale})`,
          colorScheme: isDark ? 'dark' : 'light',
        }}
      />
    </div>
  )
}

/** As a browser that asks for light, or for dark, shows it: nothing else is changed. */
function asSeen({ document }: ShownPreview, isDark: boolean): string {
  return document.html
    .replaceAll(/\(prefers-color-scheme:\s*dark\)/g, isDark ? 'all' : 'not all')
    .replaceAll(/\(prefers-color-scheme:\s*light\)/g, isDark ? 'not all' : 'all')
}

/** Nothing is loaded anew: the frame neither flickers nor jumps. */
function showDocument(shown: Document, html: string): void {
  const top = shown.scrollingElement?.scrollTop ?? 0
  const next = new DOMParser().parseFromString(html, 'text/html')
  shown.replaceChild(shown.adoptNode(next.documentElement), shown.documentElement)
  shown.scrollingElement?.scrollTo({ top, behavior: 'instant' })
}

/** Returns the function that ends it. */
function watchPresses(shown: Document, onPress: (pressed: Element) => void): () => void {
  const press = (event: MouseEvent) => {
    const pressed = event.target as Element // of a click
    if (pressed.closest('a')) event.preventDefault()
    onPress(pressed)
  }
  shown.addEventListener('click', press)
  return () => shown.removeEventListener('click', press)
}

const markedMs = 1_000

function markField(shown: Document, words: string): void {
  const element = shown.body && elementOf(shown, words)
  if (!element) return
  scrollToMiddle(shown, element)
  element.style.outline = '3px solid var(--slow)'
  setTimeout(() => element.style.removeProperty('outline'), markedMs)
}

/** Within the frame alone: `scrollIntoView` would also swipe a phone to the preview. */
function scrollToMiddle(shown: Document, element: HTMLElement): void {
  const { top, height } = element.getBoundingClientRect()
  const middle = shown.documentElement.clientHeight / 2
  shown.scrollingElement?.scrollBy({ top: top + height / 2 - middle, behavior: 'instant' })
}
