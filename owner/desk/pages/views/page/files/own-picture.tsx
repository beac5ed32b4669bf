import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '../../../api/trpc.ts'
import type { PageState } from '../draft/use-draft.ts'
import { type FileKind, fileNames } from './file-names.ts'
import styles from './files.module.css'

interface OwnPictureProps {
  kind: FileKind
  file: PageState['files'][FileKind]
}

/** A picture that the owner chose. As an image nothing in it runs. */
export function OwnPicture({ kind, file }: OwnPictureProps) {
  const trpc = useTRPC()
  const { data } = useQuery({
    ...trpc.page.files.read.queryOptions({ kind, hash: file.hash ?? '' }),
    staleTime: Infinity,
  })
  if (!data) return null
  const source = `data:${data.mediaType};base64,${data.base64}`
  return <img className={styles.picture} src={source} alt={fileNames[kind]} />
}
