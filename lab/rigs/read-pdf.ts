import { getDocumentProxy } from 'unpdf'

interface ReadTag {
  readonly role: string
  readonly text: string
  readonly alt: string
  readonly children: readonly ReadTag[]
}

/** The contents of a tagged PDF as a screen reader gets them; for tests. */
export async function readPdf(bytes: Uint8Array) {
  // pdfjs takes the buffer away from its owner.
  const pdf = await getDocumentProxy(Uint8Array.from(bytes))
  const { info } = await pdf.getMetadata()
  const facts = info as { Title?: string; Language?: string }
  const targets = await pdf.getDestinations()
  const pages = []
  for (let number = 1; number <= pdf.numPages; number++) {
    pages.push(await readPage(pdf, number, targets))
  }
  return {
    title: facts.Title ?? '',
    language: facts.Language ?? '',
    isTagged: (await pdf.getMarkInfo())?.Marked ?? false,
    /** The title, and each page below it. */
    outline: ((await pdf.getOutline()) ?? []).flatMap((entry) => [entry, ...entry.items]),
    pages,
  }
}

/** All tags of a page of one role, in reading order. */
export function tagsOf(tags: readonly ReadTag[], role: string): ReadTag[] {
  return tags.flatMap((tag) => [...(tag.role === role ? [tag] : []), ...tagsOf(tag.children, role)])
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>
type Page = Awaited<ReturnType<Pdf['getPage']>>
type Items = Awaited<ReturnType<Page['getTextContent']>>['items']

async function readPage(pdf: Pdf, number: number, targets: Record<string, unknown>) {
  const page = await pdf.getPage(number)
  const { items } = await page.getTextContent({ includeMarkedContent: true })
  const { byTag, untagged } = sortByTag(items)
  const tree = (await page.getStructTree()) as RawTag | null
  const texts = items.flatMap((item) => ('str' in item && item.str.trim() !== '' ? [item] : []))
  const inTextArea = texts.filter(({ transform }) => transform[4] < 500)
  const annotations = (await page.getAnnotations()) as RawLink[]
  return {
    text: spaced(
      items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join(''),
    ),
    tags: tree ? [readTag(tree, byTag)] : [],
    links: annotations.map((link) => ({
      to: targetOf(link, targets),
      says: link.contentsObj?.str ?? '',
    })),
    /** Texts outside of tags and artifacts. */
    untagged,
    /**
     * The lowest base line of a text inside the text area, and the rightmost end of any, in points.
     */
    lowest: Math.min(...inTextArea.map(({ transform }) => transform[5] as number)),
    rightmost: Math.max(...texts.map(({ transform, width }) => transform[4] + width)),
  }
}

interface RawTag {
  role?: string
  type?: string
  id?: string
  alt?: string
  children?: RawTag[]
}

interface RawLink {
  url?: string
  dest?: string
  contentsObj?: { str: string }
}

function readTag(raw: RawTag, byTag: ReadonlyMap<string, string>): ReadTag {
  const children = (raw.children ?? []).filter(({ role }) => role !== undefined)
  return {
    role: raw.role ?? '',
    text: spaced(textOf(raw, byTag)),
    alt: raw.alt ?? '',
    children: children.map((child) => readTag(child, byTag)),
  }
}

function textOf(raw: RawTag, byTag: ReadonlyMap<string, string>): string {
  if (raw.role === undefined) return byTag.get(raw.id ?? '') ?? ''
  const text = (raw.children ?? []).map((child) => textOf(child, byTag)).join('')
  return /^(?:Span|Code|Link|Reference)$/.test(raw.role) ? text : ` ${text} `
}

/** An address, `#page-name` if the place exists, else nothing. */
function targetOf({ url, dest }: RawLink, targets: Record<string, unknown>): string {
  if (url) return url
  return dest && dest in targets ? `#${dest}` : ''
}

function sortByTag(items: Items): { byTag: Map<string, string>; untagged: string[] } {
  const byTag = new Map<string, string>()
  const untagged: string[] = []
  const open: { id?: string; tag?: string }[] = []
  for (const item of items) {
    if ('type' in item) {
      if (item.type === 'endMarkedContent') open.pop()
      else open.push(item)
      continue
    }
    const id = open.findLast(({ id: own }) => own)?.id
    if (id) byTag.set(id, `${byTag.get(id) ?? ''}${item.str}${item.hasEOL ? '\n' : ''}`)
    else if (!open.some(({ tag }) => tag === 'Artifact') && item.str.trim() !== '') {
      untagged.push(item.str)
    }
  }
  return { byTag, untagged }
}

function spaced(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('’', "'").replaceAll(/[“”]/g, '"').trim()
}
