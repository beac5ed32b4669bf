import type { FileKind } from '#site/source.ts'

interface HostileFile {
  kind: FileKind
  name: string
  bytes: Buffer
}

/** A PDF of one page. `objects`: from 5 on, of which the page knows the first as /A. */
export function pdfOf(box: string, drawn = '', objects = ''): Buffer {
  return Buffer.from(`%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[${box}]/Resources<</XObject<</A 5 0 R>>>>/Contents 4 0 R>>endobj
4 0 obj<</Length ${drawn.length}>>stream
${drawn}
endstream endobj
${objects}
trailer<</Root 1 0 R>>
%%EOF`)
}

/** A form that draws ten of the next, and so on. */
function formsOf(count: number): string {
  const drawn = '/A Do '.repeat(10)
  const forms = Array.from(
    { length: count },
    (
      _,
      index,
    ) => `${5 + index} 0 obj<</Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<</XObject<</A ${6 + index} 0 R>>>>/Length ${drawn.length}>>stream
${drawn}
endstream endobj`,
  )
  return forms.join('\n')
}

export function svgOf(inner: string, more = ''): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" ${more}>${inner}</svg>`,
  )
}

/** A group that uses ten of the one before, and so on. */
function nestedUses(count: number): string {
  const groups = Array.from(
    { length: count },
    (_, index) => `<g id="g${index + 1}">${`<use href="#g${index}"/>`.repeat(10)}</g>`,
  )
  return `<rect id="g0" width="1" height="1"/>${groups.join('')}`
}

/** A blur of a huge picture, a hundred times. */
const blurs = `<filter id="a"><feMorphology operator="dilate" radius="1e5"/></filter>${'<g filter="url(#a)">'.repeat(100)}<rect width="1" height="1"/>${'</g>'.repeat(100)}`

export const nestedForms = pdfOf('0 0 600 800', '/A Do', formsOf(12))

/** Files of a few kB that ask for more memory or time than there is. */
export const hostileFiles: readonly HostileFile[] = [
  { kind: 'guide', name: 'a page as a thread', bytes: pdfOf('0 0 1 1000000') },
  { kind: 'guide', name: 'nested forms', bytes: nestedForms },
  { kind: 'icon', name: 'nested uses', bytes: svgOf(nestedUses(12)) },
  { kind: 'chart', name: 'nested uses', bytes: svgOf(nestedUses(12)) },
  { kind: 'icon', name: 'a drawing as a thread', bytes: svgOf('', 'width="1" height="1000000"') },
  { kind: 'icon', name: 'endless filters', bytes: svgOf(blurs, 'width="1000" height="1000"') },
]
