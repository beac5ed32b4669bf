import { fieldAt } from '#words/description.ts'
import { hrefOf } from '../../../navigation/location.ts'
import { rootPath } from '../draft/nested-value.ts'

/** Leads to a field. */
export function FieldLink({ path }: { path: string }) {
  return <a href={`${hrefOf('page')}#${path}`}>{labelOf(path)}</a>
}

/** As the owner knows it. */
export function labelOf(path: string): string {
  return fieldAt(rootPath(path))?.label ?? path
}
