import { useCallbackRef, useElementSize } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { fieldAt } from '#site/words/description.ts'
import { go } from '#owner/desk/views/navigation/location.ts'
import { rootPath } from '../draft/nested-value.ts'
import { type PageDraft, wordsAt } from '../draft/use-draft.ts'
import { editInPlace } from './edit-in-place.ts'
import styles from './preview.module.css'
import { elementAt, placeTexts, textAround } from './text-places.ts'
import type { ShownPreview } from './use-preview.ts'

interface PreviewFrameProps {
  /** It is undefined before the first rendering. */
  shown: ShownPreview | undefined
  isLoading: boolean
  /** True if the preview has all that was typed. */
  isCurrent: boolean
  /** The width of the window that it is shown as. */
  width: number
  isDark: boolean
  draft: PageDraft
  /** The field that is chosen. */
  path: string
  /** A text is typed over. */
  onPress(path: string): void
  /** The pressed text is changed in its field. */
  onOpenField(path: string): void
}

/**
 * The frame may be looked into and typed into, but nothing runs in it, no form is sent and no link
 * leads away. Its document has the desk's content security policy, as every document of `srcdoc`
 * has that of the page around it.
 */
export function PreviewFrame(props: PreviewFrameProps) {
  const { shown, isLoading, width, isDark, path } = props
  const { ref, width: room } = useElementSize()
  const [inner, setInner] = useState<Document | null>(null)
  const [mailHeight, setMailHeight] = useState<number>()
  const scale = Math.min(1, room / width)
  const html = shown && asSeen(shown, isDark)
  const isMail = shown?.what === 'mail'
  const { isTyping, press } = useEditing(props)
  const pressed = useRef('')

  useEffect(() => {
    if (!inner || html === undefined || isTyping) return
    showDocument(inner, html)
  }, [inner, html, isTyping])
  const isOnScreen = room > 0
  useEffect(() => {
    if (inner?.body && isOnScreen) setMailHeight(inner.body.scrollHeight)
  }, [inner, html, isTyping, width, isOnScreen])

  const onPress = useCallbackRef((event: MouseEvent) => {
    pressed.current = press(event) ?? ''
  })
  useEffect(() => {
    return inner ? watchPresses(inner, onPress) : undefined
  }, [inner, onPress])

  useEffect(() => {
    if (inner && path !== '' && path !== pressed.current) markField(inner, path)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each field that is chosen
  }, [path, isLoading, isOnScreen])

  return (
    <div
      ref={ref}
      className={styles.box}
      data-loading={isLoading || undefined}
      style={{
        maxWidth: width + borders,
        ...(isMail && mailHeight !== undefined && { height: mailHeight * scale + borders }),
      }}
    >
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

/** The borders of the box, in px. */
const borders = 2

/** A press that ends the typing has found its own text by then. */
const restAfterMs = 300

/**
 * A text that stands there as it was written can be typed over there. One with values in it, or of
 * a picture, is changed in its field. While somebody types, the document stays as it is.
 */
function useEditing({ draft, isCurrent, onPress, onOpenField }: PreviewFrameProps) {
  const [state, setState] = useState<'resting' | 'typing' | 'ended'>('resting')
  const change = useCallbackRef(draft.change)
  useEffect(() => {
    if (state !== 'ended' || !isCurrent) return undefined
    const timer = setTimeout(() => setState('resting'), restAfterMs)
    return () => clearTimeout(timer)
  }, [state, isCurrent])

  /** Returns the path of the text. Undefined: none was pressed. */
  function press({ target, clientX: x, clientY: y }: MouseEvent): string | undefined {
    const text = textAround(target as Element) // of a click
    if (!text || !fieldAt(rootPath(text.path))) return undefined
    const { element, path } = text
    if (element.isContentEditable) return path
    if (element.textContent === wordsAt(draft, path)) {
      setState('typing')
      onPress(path)
      go(`page#${path}`)
      editInPlace(element, {
        x,
        y,
        onType: (typed) => change(path, typed),
        onEnd: () => setState('ended'),
      })
    } else {
      const frame = element.ownerDocument.defaultView?.frameElement as
        HTMLElement | null | undefined
      frame?.blur()
      onOpenField(path)
    }
    return path
  }

  return { isTyping: state !== 'resting', press }
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
  placeTexts(next)
  shown.replaceChild(shown.adoptNode(next.documentElement), shown.documentElement)
  shown.adoptedStyleSheets = [texts(shown)]
  shown.scrollingElement?.scrollTo({ top, behavior: 'instant' })
}

/** Says which text would be typed over. */
function texts(shown: Document): CSSStyleSheet {
  const sheet = new shown.defaultView!.CSSStyleSheet() // the frame has a window
  sheet.replaceSync(`
    [data-path]:hover { outline: 2px dashed currentColor; outline-offset: 2px; cursor: text }
    [data-path][contenteditable] { outline: 3px solid var(--slow, Highlight); user-select: text }`)
  return sheet
}

/** Returns the function that ends it. */
function watchPresses(shown: Document, onPress: (event: MouseEvent) => void): () => void {
  const press = (event: MouseEvent) => {
    if ((event.target as Element).closest('a')) event.preventDefault() // of a click
    onPress(event)
  }
  shown.addEventListener('click', press)
  return () => shown.removeEventListener('click', press)
}

const markedMs = 1_000

function markField(shown: Document, path: string): void {
  const element = elementAt(shown, path)
  if (!element) return
  scrollToMiddle(shown, element)
  element.animate([{ outline: '3px solid var(--slow, Highlight)' }], markedMs)
}

/** Within the frame alone: `scrollIntoView` would also swipe a phone to the preview. */
function scrollToMiddle(shown: Document, element: Element): void {
  const { top, height } = element.getBoundingClientRect()
  const middle = shown.documentElement.clientHeight / 2
  shown.scrollingElement?.scrollBy({ top: top + height / 2 - middle, behavior: 'instant' })
}
