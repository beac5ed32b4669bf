import type { PageModule } from './page-table.ts'
import type { StyleAssets } from './styles/style-for.ts'

/** The browser's files, as the build knows them. */
export interface PageAssets extends StyleAssets {
  /** The source of the script that is inline in every page. */
  readonly startScript: string
  /** The addresses of the modules of each kind of page: its script is the first of them. */
  readonly modules: Readonly<Record<PageModule, readonly string[]>>
}
