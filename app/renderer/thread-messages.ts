import type { SiteWork } from './site-work.tsx'

/** One call of the renderer's work, from the server to the thread. */
export type RendererRequest = { readonly id: number } & {
  readonly [Name in keyof SiteWork]: {
    readonly name: Name
    readonly values: Parameters<SiteWork[Name]>
  }
}[keyof SiteWork]

export type RendererAnswer =
  | { readonly id: number; readonly kind: 'result'; readonly result: unknown }
  | {
      readonly id: number
      readonly kind: 'fault'
      readonly message: string
      /** The owner's content is at fault, and the message is a sentence for them. */
      readonly isContent: boolean
    }
