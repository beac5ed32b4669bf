import Pdf from 'pdfkit'
import { brand } from '#content/brand.ts'
import { kit } from '#content/kit.ts'
import { type GuideStep, setupGuide } from '#content/setup-guide.ts'
import { ContentFault } from './content-fault.ts'
import { givenScript } from './given-files.ts'
import { releaseOf, scriptRelease } from './kit-files.ts'
import { scriptInputs } from './script-inputs.ts'
import { putInputsPage, putPaperPage } from './setup-guide/back-pages.ts'
import { putCoverPage, type BackPage } from './setup-guide/cover-page.ts'
import { registerFaces } from './setup-guide/faces.ts'
import { putMessagePages } from './setup-guide/message-pages.ts'
import { defaultLengths, stepPicture } from './setup-guide/step-figures.ts'
import { factsTable, linesTable, putStepPage } from './setup-guide/step-page.ts'
import type { Tag } from './setup-guide/tags.ts'

/** The PDF setup guide. The same script and words make the same bytes. */
export async function makeSetupGuide(script: string = givenScript()): Promise<Buffer> {
  const doc = openDocument(script)
  const bytes = collect(doc)
  const guide = doc.struct('Document')
  doc.addStructure(guide)
  putCover(doc, guide, script)
  putSteps(doc, guide, script)
  putBackPages(doc, guide, script)
  guide.end()
  doc.end()
  return bytes
}

/** The messages are those of our script. */
const backPages: readonly BackPage[] = [
  setupGuide.paper,
  setupGuide.inputs,
  ...(kit.script.isYourOwn ? [] : [setupGuide.messages]),
].map(({ id, title }, index) => ({ id, title, page: setupGuide.steps.length + 2 + index }))

function putCover(doc: PDFKit.PDFDocument, guide: Tag, script: string): void {
  beginPage(doc, 'cover', setupGuide.title)
  const { version, date } = scriptRelease(script)
  const edition = `Version ${version}, ${date}. For the script of the same version.`
  putCoverPage(doc, guide, edition, backPages)
}

function putSteps(doc: PDFKit.PDFDocument, guide: Tag, script: string): void {
  mustFollowEachOther(setupGuide.steps)
  for (const [index, step] of setupGuide.steps.entries()) {
    beginPage(doc, step.id, `${index + 1} ${step.title}`)
    const picture = stepPicture(step, script)
    const ownTable = step.facts && factsTable(step.facts)
    const table = picture && step.picture === 'crossing' ? linesTable(defaultLengths(script)) : ownTable
    putStepPage(doc, guide, step, index + 1, picture, table)
  }
}

/** The cover has a line for each minute: a step at another's minute would stand on it. */
export function mustFollowEachOther(
  steps: readonly Pick<GuideStep, 'title' | 'minute' | 'untilMinute'>[],
): void {
  let before = 0
  for (const { title, minute, untilMinute } of steps) {
    if (!Number.isInteger(minute) || minute < before || untilMinute <= minute || untilMinute > 10)
      throw new ContentFault(
        `The guide's step "${title}" must begin at minute ${before} or later and end after it, by minute 10: content/setup-guide.ts.`,
      )
    before = untilMinute
  }
}

function putBackPages(doc: PDFKit.PDFDocument, guide: Tag, script: string): void {
  for (const { id, title, page } of backPages) {
    beginPage(doc, id, title)
    if (id === setupGuide.paper.id) putPaperPage(doc, guide, page)
    if (id === setupGuide.inputs.id) putInputsPage(doc, guide, page, scriptInputs(script), releaseOf(script))
    if (id === setupGuide.messages.id) putMessagePages(doc, guide, page)
  }
}

function beginPage(doc: PDFKit.PDFDocument, id: string, outlineTitle: string): void {
  doc.addPage()
  doc.addNamedDestination(id, 'Fit')
  doc.outline.addItem(outlineTitle)
}

function openDocument(script: string): PDFKit.PDFDocument {
  const release = scriptRelease(script)
  const date = new Date(`${release.date}T00:00:00Z`)
  const doc = new Pdf({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en',
    displayTitle: true,
    // pdfkit 0.20 takes this marker; its published types stop at PDF/A.
    subset: 'PDF/UA' as PDFKit.Mixins.PDFSubsets,
    info: {
      Title: `${brand.name}: ${setupGuide.title}, version ${release.version}`,
      Author: brand.name,
      Subject: setupGuide.subtitle,
      // Fixed to the release, so that two builds make the same bytes.
      CreationDate: date,
      ModDate: date,
    },
  })
  registerFaces(doc)
  return doc
}

function collect(doc: PDFKit.PDFDocument): Promise<Buffer> {
  const parts: Buffer[] = []
  return new Promise((resolve, reject) => {
    doc.on('data', (part: Buffer) => parts.push(part))
    doc.on('end', () => resolve(Buffer.concat(parts)))
    doc.on('error', reject)
  })
}
