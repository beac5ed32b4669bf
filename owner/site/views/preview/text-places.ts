import { hasMarks, marks, pathOf, withoutMarks } from '#site/words/text-marks.ts'

/** The attribute with the path of the text that an element shows. */
const attribute = 'data-path'

/** Gives each element of a preview the path of its text, and takes the marks away. */
export function placeTexts(shown: Document): void {
  // A script and the title hold text alone.
  for (const { firstChild } of shown.querySelectorAll('script, title')) {
    if (firstChild) firstChild.nodeValue = withoutMarks(firstChild.nodeValue ?? '')
  }
  const texts = textNodes(shown.body).filter((node) => hasMarks(node.data))
  for (const { open, close, path } of outermost(texts.flatMap(splitAtMarks))) {
    placeText(open, close, path)
    open.remove()
    close.remove()
  }
  for (const element of shown.querySelectorAll('*')) {
    for (const one of element.attributes) {
      if (hasMarks(one.value)) placeInAttribute(element, one)
    }
  }
}

/** The element that shows a text, or one in an entry of a list. */
export function elementAt(shown: Document, path: string): Element | null {
  const name = CSS.escape(path)
  return (
    shown.querySelector(`[${attribute}="${name}"]`) ??
    shown.querySelector(`[${attribute}^="${name}."]`)
  )
}

/** The innermost element around a press that shows a text, and its path. */
export function textAround(pressed: Element): { element: HTMLElement; path: string } | undefined {
  const element = pressed.closest<HTMLElement>(`[${attribute}]`)
  return element ? { element, path: element.getAttribute(attribute) ?? '' } : undefined
}

function textNodes(shown: HTMLElement): Text[] {
  const walker = shown.ownerDocument.createTreeWalker(shown, NodeFilter.SHOW_TEXT)
  const found: Text[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) found.push(node as Text)
  return found
}

interface Mark {
  /** A comment where the mark was. */
  place: Comment
  /** The path of the text that begins there; none where one ends. */
  path: string | undefined
}

/** Replaces a text node by its words, with a comment in the place of each mark. */
function splitAtMarks(node: Text): Mark[] {
  const { data, ownerDocument } = node
  const found: Mark[] = []
  const pieces: (string | Comment)[] = []
  let end = 0
  for (const match of data.matchAll(marks)) {
    const [mark, letters] = match
    const place = ownerDocument.createComment('')
    pieces.push(data.slice(end, match.index), place)
    found.push({ place, path: letters && pathOf(letters) })
    end = match.index + mark.length
  }
  pieces.push(data.slice(end))
  node.replaceWith(...pieces.filter((piece) => piece !== ''))
  return found
}

interface MarkedText {
  open: Comment
  close: Comment
  path: string
}

/** Texts that stand in others as values, such as the name, have no place of their own. */
function outermost(found: readonly Mark[]): MarkedText[] {
  const texts: MarkedText[] = []
  const open: { place: Comment; path: string }[] = []
  for (const { place, path } of found) {
    if (path !== undefined) {
      open.push({ place, path })
      continue
    }
    const opened = open.pop()
    if (opened && open.length === 0) {
      texts.push({ open: opened.place, close: place, path: opened.path })
    } else {
      opened?.place.remove()
      place.remove()
    }
  }
  return texts
}

function placeText(open: Comment, close: Comment, path: string): void {
  const { parentElement: parent } = open
  if (!parent) return
  const isWhole = parent === close.parentElement
  const takesAttribute = !isWhole || holdsNothingElse(parent, open, close) || isSvg(parent)
  if (takesAttribute) {
    parent.setAttribute(attribute, path)
    return
  }
  const around = parent.ownerDocument.createElement('span')
  around.setAttribute(attribute, path)
  const range = parent.ownerDocument.createRange()
  range.setStartAfter(open)
  range.setEndBefore(close)
  range.surroundContents(around)
}

function holdsNothingElse(parent: Element, open: Comment, close: Comment): boolean {
  const nodes = [...parent.childNodes]
  const others = [...nodes.slice(0, nodes.indexOf(open)), ...nodes.slice(nodes.indexOf(close))]
  return others.every((node) => node.nodeName === '#comment' || node.textContent?.trim() === '')
}

function isSvg({ namespaceURI }: Element): boolean {
  return namespaceURI === 'http://www.w3.org/2000/svg'
}

/** Marks an element by a text in an attribute, such as the words in an empty field. */
function placeInAttribute(element: Element, { name, value }: Attr): void {
  const [, letters] = new RegExp(marks.source, 'u').exec(value) ?? []
  element.setAttribute(name, withoutMarks(value))
  const isPlaced = element.matches(`[${attribute}]`) || element.querySelector(`[${attribute}]`)
  if (!letters || isPlaced || !element.closest('body')) return
  element.setAttribute(attribute, pathOf(letters))
}
