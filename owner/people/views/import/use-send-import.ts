import type { RouterOutputs } from '#owner/desk/views/api/trpc.ts'
import { usePostFile } from '#owner/desk/views/proof/use-post-file.ts'

/** A file of people, and how it is read. */
export interface ImportWish {
  file: File
  /** The position of each field in a line, from 0. */
  columns: RouterOutputs['import']['header']['columns']
  /** The day on which all of them agreed. */
  consentedOn?: string | undefined
  meanings: readonly ValueMeaning[]
  /** The name by which they can be found and written to. */
  campaign?: string | undefined
}

/** What the owner says that a value of a column means. */
export interface ValueMeaning {
  column: number
  value: string
  meaning: 'mailed' | 'left'
}

/** `try-out` and `refused-lines` change nothing. */
type ImportAct = 'try-out' | 'refused-lines' | 'start'

type SendImport = (act: ImportAct, wish: ImportWish) => Promise<Response>

/** Returns what sends a file of people to the server. */
export function useSendImport(): SendImport {
  const postFile = usePostFile()
  return (act, { file, columns, consentedOn, meanings, campaign }) => {
    const values = new URLSearchParams(act === 'start' ? {} : { act })
    for (const [name, value] of Object.entries({ ...columns, consentedOn, campaign })) {
      if (value !== undefined) values.set(name, String(value))
    }
    for (const { column, value, meaning } of meanings) values.append(meaning, `${column}:${value}`)
    const route = act === 'start' ? 'start-import' : 'import-file'
    return postFile(`${route}?${values}`, file)
  }
}
