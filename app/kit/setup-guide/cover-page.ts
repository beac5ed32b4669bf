import { brand } from '#content/brand.ts'
import { kit } from '#content/kit.ts'
import { setupGuide } from '#content/setup-guide.ts'
import { coverLines } from './crossing-chart.ts'
import { axisLine, axisTag } from './minute-axis.ts'
import { caption, rule } from './page-parts.ts'
import { putDrawing } from './put-drawing.ts'
import { printInk, sheet } from './sheet.ts'
import { artifact, openTag, putLink, putTag, type Tag } from './tags.ts'
import { balanceLines, breakLines, measureText, putLines, putText, type TextStyle } from './typesetting.ts'

const title: TextStyle = { size: 92, leading: 82.5, face: 'medium', ink: 'ink', tracking: -0.037 }
const subtitle: TextStyle = { size: 17.5, leading: 21.5, face: 'text', ink: 'ink' }
const brandName: TextStyle = { size: 13.2, leading: 18, face: 'strong', ink: 'ink', tracking: -0.01 }
const entry: TextStyle = { size: 12.5, leading: 16, face: 'text', ink: 'ink' }
const number: TextStyle = { size: 9.5, leading: 12, face: 'mono', ink: 'ink' }
const contentsTop = 572
/** 8 mm a minute. */
const minuteHeight = 22.68

export interface BackPage {
  readonly id: string
  readonly title: string
  readonly page: number
}

/** Cover with the contents on the minute axis. */
export function putCoverPage(
  doc: PDFKit.PDFDocument,
  guide: Tag,
  edition: string,
  backPages: readonly BackPage[],
): void {
  const section = openTag(doc, guide, 'Sect')
  artifact(doc, () => {
    axisLine(doc)
    brandMark(doc)
  })
  putTag(doc, section, 'P', () => putText(doc, brand.name, 82.5, 65.5, brandName))
  putTag(doc, section, 'H1', () => {
    putLines(doc, breakLines(doc, setupGuide.title, title, 320), sheet.left - 3.5, 205, title)
  })
  putTag(doc, section, 'P', () => {
    putLines(doc, balanceLines(doc, setupGuide.subtitle, subtitle, 400), sheet.left, 343.5, subtitle)
  })
  if (!kit.script.isYourOwn) putTwoLines(doc, section)
  putContents(doc, section)
  putAfter(doc, section, edition, backPages)
  section.end()
}

/** The two averages of our script. */
function putTwoLines(doc: PDFKit.PDFDocument, section: Tag): void {
  const lines = coverLines(sheet.axis, 140, setupGuide.coverDrawing)
  putDrawing(doc, section, lines, { x: 0, y: 383, width: sheet.axis })
  putTag(doc, section, 'P', () => putText(doc, setupGuide.coverCaption, sheet.left, 558.5, caption))
}

function putContents(doc: PDFKit.PDFDocument, section: Tag): void {
  rule(doc, contentsTop, 'ink', sheet.width)
  const contents = openTag(doc, section, 'TOC')
  for (const [index, step] of setupGuide.steps.entries()) {
    const top = contentsTop + step.minute * minuteHeight
    const baseline = top + 16
    const item = openTag(doc, contents, 'TOCI')
    const area = [sheet.left, top, sheet.width - sheet.left, minuteHeight] as const
    const says = `Step ${index + 1}, ${step.title}, minute ${step.minute}`
    putLink(doc, item, `#${step.id}`, says, area, () => {
      putText(doc, `${index + 1} `, sheet.left, baseline, number)
      putText(doc, `${step.title} `, sheet.left + 25.5, baseline, entry)
      putText(doc, `${step.minute} min`, sheet.axisLabel, baseline - 1.5, caption)
    })
    item.end()
    rule(doc, top + minuteHeight, 'rule', sheet.width)
  }
  contents.end()
  artifact(doc, () => axisTag(doc, contentsTop + 10 * minuteHeight, minuteHeight, setupGuide.done))
}

/** Below the contents: what follows the seven steps, and which edition this is. */
function putAfter(
  doc: PDFKit.PDFDocument,
  section: Tag,
  edition: string,
  backPages: readonly BackPage[],
): void {
  const baseline = contentsTop + 10 * minuteHeight + 1
  const paragraph = openTag(doc, section, 'P')
  let x: number = sheet.left
  for (const { id, title: name, page } of backPages) {
    const text = `${name}, page ${page}`
    const width = measureText(doc, text, caption)
    putLink(doc, paragraph, `#${id}`, text, [x, baseline - 10, width, 14], () =>
      putText(doc, text, x, baseline, { ...caption, ink: 'ink' }),
    )
    x += width + 20
  }
  paragraph.end()
  putTag(doc, section, 'P', () => putText(doc, edition, sheet.left, baseline + 17, caption))
}

/** The slow line falls, the fast line rises through it. */
function brandMark(doc: PDFKit.PDFDocument): void {
  const [x, y] = [51.5, 53.5]
  doc.lineWidth(2.7).lineCap('butt')
  doc
    .moveTo(x, y + 4.6)
    .bezierCurveTo(x + 8, y + 5, x + 12, y + 10, x + 21, y + 10)
    .stroke(printInk.slow)
  doc.lineWidth(1.6)
  doc
    .moveTo(x, y + 13.6)
    .bezierCurveTo(x + 10, y + 13.2, x + 9, y + 1, x + 21, y + 1)
    .stroke(printInk.fast)
}
