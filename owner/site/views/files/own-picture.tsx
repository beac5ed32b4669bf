import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import type { PageState } from '../draft/use-draft.ts'
import { fileNames } from '#owner/site/draft/file-words.ts'
import type { FileKind } from '#site/source.ts'
import styles from './files.module.css'

interface OwnPictureProps {
  kind: FileKind
  file: PageState['files'][FileKind]
}

/** A picture that the owner chose. */
export function OwnPicture({ kind, file }: OwnPictureProps) {
  const trpc = useTRPC()
  const { data } = useQuery({
    ...trpc.page.files.read.queryOptions({ kind, hash: file.hash ?? '' }),
    staleTime: Infinity,
  })
  return data ? <Picture {...data} name={fileNames[kind]} /> : null
}

/** The first page of the guide, or the share picture that is drawn from the words. */
export function DrawnPicture({ kind }: { kind: 'guide' | 'sharePicture' }) {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.page.files.drawn.queryOptions({ kind }))
  return data ? <Picture {...data} name={fileNames[kind]} /> : null
}

interface PictureProps {
  mediaType: string
  base64: string
  name: string
}

/** As an image nothing in it runs. */
function Picture({ mediaType, base64, name }: PictureProps) {
  return <img className={styles.picture} src={`data:${mediaType};base64,${base64}`} alt={name} />
}
