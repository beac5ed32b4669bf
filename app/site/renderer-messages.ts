import type { ReadFiles } from './files/own-file.ts'
import type { DrawnDocument } from '#site/words/described/describe.ts'
import type { OwnSite } from './rendered-site.ts'
import type { Drawings, DrawnFiles, OwnFiles, SiteSource } from './source.ts'

/** The acts of the renderer's process, one after the other. */
export interface SiteWork {
  /**
   * The owner's files as they are kept. All else here takes files that were read. Throws a
   * ContentError for one that cannot be drawn.
   */
  readFiles(given: OwnFiles): Promise<ReadFiles>
  /** Pages and mails. `drawn`: by `draw`, of the same source. */
  render(source: SiteSource, drawn: DrawnFiles): Promise<OwnSite>
  /** The notes under the forms, as a document for the owner. `address`: of an example. */
  renderNotes(source: SiteSource, address: string): Promise<string>
  /**
   * The files that have to be drawn. Those that show the same as `before` are taken from there.
   * Throws a ContentError if words do not fit.
   */
  draw(source: SiteSource, before: Drawings | undefined): Promise<Drawings>
  /** One of them as a PNG, as it would be published. `page`: of the guide, from 0. */
  drawOne(source: SiteSource, document: DrawnDocument, page: number): Promise<Uint8Array>
  /** Sets our guide once: until then drawings take seconds, afterwards less than one. */
  warm(): Promise<void>
}

/** One call of the renderer's work, from the server to the process. */
export type RendererRequest = {
  readonly [Name in keyof SiteWork]: {
    readonly name: Name
    readonly values: Parameters<SiteWork[Name]>
  }
}[keyof SiteWork]

export type RendererAnswer = {
  /** The process has grown too large or may be damaged. It is to end. */
  readonly isSpent: boolean
} & (
  | { readonly kind: 'result'; readonly result: unknown }
  | {
      readonly kind: 'fault'
      readonly message: string
      /** The owner's content is at fault, and the message is a sentence for them. */
      readonly isContent: boolean
    }
)
