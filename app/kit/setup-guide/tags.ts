/** Structure of the tagged PDF (ISO 32000-1, 14.8). Every mark on a page is inside a tag or an artifact. */
export type Tag = PDFKit.PDFStructureElement

export interface TagOptions {
  /** Says what a figure shows. */
  alt?: string
  /** Left, top, right, bottom: PDF/UA asks for it on figures. */
  bbox?: readonly [number, number, number, number]
  /** For the heading cells of a table. */
  scope?: 'Column' | 'Row'
}

/** A tag that holds other tags. Close it with `end()` on the page it stands on. */
export function openTag(doc: PDFKit.PDFDocument, parent: Tag, type: string, options: TagOptions = {}): Tag {
  const tag = doc.struct(type, options)
  parent.add(tag)
  return tag
}

/** A tag with marks of its own and nothing else. */
export function putTag(
  doc: PDFKit.PDFDocument,
  parent: Tag,
  type: string,
  draw: () => void,
  options: TagOptions = {},
): void {
  const tag = openTag(doc, parent, type, options)
  tag.add(draw)
  tag.end()
}

/** Marks that mean nothing to a reader who listens: rules, page furniture. */
export function artifact(
  doc: PDFKit.PDFDocument,
  draw: () => void,
  type: 'Layout' | 'Pagination' = 'Layout',
): void {
  doc.markContent('Artifact', { type })
  draw()
  doc.endMarkedContent()
}

/** A link to an address, or to a named place in the guide when `to` begins with "#". */
export function putLink(
  doc: PDFKit.PDFDocument,
  parent: Tag,
  to: string,
  says: string,
  area: readonly [x: number, y: number, width: number, height: number],
  draw: () => void,
): void {
  const tag = openTag(doc, parent, 'Link')
  tag.add(draw)
  const options = { structParent: tag, Contents: new String(says) } as object
  if (to.startsWith('#')) doc.goTo(...area, to.slice(1), options)
  else doc.link(...area, to, options)
  tag.end()
}
