import type { ReadFiles } from './files/own-file.ts'
import type { SiteBundle } from './bundle.ts'
import type { OwnFiles, SiteSource } from './source.ts'

export interface MakeOptions {
  /** Each text in pages and mails has its path with it, for a preview: words/text-marks.ts. */
  readonly isMarked?: boolean
}

/** The acts of the renderer's process, one after the other. */
export interface SiteWork {
  /**
   * The owner's files as they are kept. All else here takes files that were read. Throws a
   * ContentError for one that cannot be drawn.
   */
  readFiles(given: OwnFiles): Promise<ReadFiles>
  make(source: SiteSource, options?: MakeOptions): Promise<SiteBundle>
  /** The notes under the forms, as a marked document for the owner. `address`: of an example. */
  makeNotes(source: SiteSource, address: string): Promise<string>
  /** A page of its guide as PNG, as it would be published. `number`: from 0. */
  drawGuidePage(source: SiteSource, number: number): Promise<Uint8Array>
  /** Makes the defaults once: until then a site takes seconds, afterwards less than one. */
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
