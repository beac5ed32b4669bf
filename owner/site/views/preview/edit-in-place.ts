export interface EditOptions {
  /** The point of the press, in the window of the element. */
  x: number
  y: number
  /** Gets each change. */
  onType(text: string): void
  onEnd(): void
}

/**
 * Lets the owner type into an element that shows one text. Enter finishes, Escape reverts, and what
 * is pasted is plain. An input method keeps its keys until its word is done.
 */
export function editInPlace(element: HTMLElement, options: EditOptions): void {
  const { onType, onEnd } = options
  const before = element.textContent
  const ended = new AbortController()
  const { signal } = ended
  const end = () => {
    if (signal.aborted) return
    ended.abort()
    element.removeAttribute('contenteditable')
    onEnd()
  }
  const type = () => onType(asLine(element.textContent))

  element.addEventListener('input', (event) => !isComposing(event) && type(), { signal })
  element.addEventListener('compositionend', type, { signal })
  element.addEventListener('paste', (event) => pastePlain(element, event), { signal })
  element.addEventListener('blur', end, { signal })
  element.addEventListener(
    'keydown',
    (event) => {
      if (event.isComposing) return
      if (event.key === 'Enter' || event.key === 'Escape') {
        event.preventDefault()
        event.stopPropagation() // Escape would close what the preview is in
        if (event.key === 'Escape') {
          element.textContent = before
          onType(before)
        }
        end()
      } else if (event.key === ' ' && element.closest('button, summary')) {
        event.preventDefault() // it would press the button
        insert(element, ' ')
      }
    },
    { signal },
  )

  element.setAttribute('contenteditable', 'plaintext-only')
  element.focus({ preventScroll: true })
  placeCaret(element, options)
}

function isComposing(event: Event): boolean {
  return 'isComposing' in event && event.isComposing === true
}

function pastePlain(element: HTMLElement, event: ClipboardEvent): void {
  event.preventDefault()
  insert(element, asLine(event.clipboardData?.getData('text/plain') ?? ''))
}

/** Inserts text as if it was typed: it can be undone. */
function insert({ ownerDocument }: HTMLElement, text: string): void {
  ownerDocument.execCommand('insertText', false, text)
}

/** A space at the end of what is typed is a plain one. */
function asLine(text: string): string {
  return text.replaceAll(/[\s\u{A0}]+/gu, ' ')
}

function placeCaret({ ownerDocument }: HTMLElement, { x, y }: EditOptions): void {
  const place = ownerDocument.caretPositionFromPoint?.(x, y)
  if (place) ownerDocument.getSelection()?.collapse(place.offsetNode, place.offset)
}
