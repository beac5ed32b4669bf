import type { StyleAssets } from './styles/style-for.ts'

/** What the build knows of the browser's files. */
export interface PageAssets extends StyleAssets {
  /** The source of the script that is inline in every page. */
  readonly startScript: string
  /** The addresses of the modules of each entry, which is the first of them. */
  readonly modules: Readonly<Record<string, readonly string[]>>
}
