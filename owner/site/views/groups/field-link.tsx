import { nameOf } from '#site/words/description.ts'
import { hrefOf } from '#owner/desk/views/navigation/location.ts'
import { isNarrow } from '../sheets.tsx'

/** Leads to a field. */
export function FieldLink({ path }: { path: string }) {
  return (
    <a href={hrefOf(`page#${path}`)} onClick={() => showNamedField(path)}>
      {nameOf(path) ?? path}
    </a>
  )
}

/**
 * Goes to a field whose link is pressed, also if the address names it already and does not change.
 * Only then: a field that takes the focus names itself in the entry of the history that is open.
 */
export function showNamedField(path: string): void {
  setTimeout(() => showField(path))
}

/** Goes to a field, if it is on the screen. */
export function showField(path: string): void {
  if (path === '') return
  const field = document.querySelector<HTMLElement>(
    `[name="${CSS.escape(path)}"], [data-path="${CSS.escape(path)}"]`,
  )
  if (!field || field.contains(document.activeElement)) return
  // Somebody types in the preview, which stands beside the fields, on a phone in their place.
  if (document.activeElement instanceof HTMLIFrameElement) {
    if (!isNarrow()) field.scrollIntoView({ block: 'nearest' })
    return
  }
  field.scrollIntoView({ block: 'center' })
  // On a phone the focus would open the keyboard.
  if (matchMedia('(hover: hover)').matches) field.focus({ preventScroll: true })
}
