import { Button, Textarea } from '@mantine/core'
import { type ContentValue, valueAt } from '#site/words/description.ts'
import { textAt } from '#owner/site/draft/draft-difference.ts'
import { hrefOf } from '#owner/desk/views/navigation/location.ts'
import type { Loading } from '#owner/desk/views/parts/fault.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { View } from '#owner/desk/views/parts/outline/view.tsx'
import { Note, Soft } from '#owner/desk/views/parts/text.tsx'
import type { PageDraft } from '../draft/use-draft.ts'
import { EarlierVersions, HeadActions, headNote } from '../head.tsx'
import { type FileKind, fileKinds } from '#site/source.ts'
import { FileRow } from './file-row.tsx'
import { DrawnPicture, OwnPicture } from './own-picture.tsx'
import { VersionLine } from './version-line.tsx'
import styles from './files.module.css'

interface FilesProps {
  draft: PageDraft
  query: Loading
}

/** The files that are given away or shown, and what an own script leaves untrue. */
export function Files({ draft, query }: FilesProps) {
  const { files } = draft.state
  return (
    <View
      heading={headingOf(draft)}
      note={headNote(draft)}
      actions={
        <HeadActions draft={draft}>
          <EarlierVersions />
          <Button component="a" href={hrefOf('page')}>
            Texts
          </Button>
        </HeadActions>
      }
      query={query}
    >
      <Section heading="Files">
        <FileRows
          kinds={fileKinds.filter((kind) => kind !== 'icon' && !isIdle(kind, files))}
          draft={draft}
        />
      </Section>
    </View>
  )
}

/** A chart that would take the place of another, which is not there. */
function isIdle(kind: FileKind, files: PageDraft['state']['files']): boolean {
  const isOther = kind === 'chartDark' || kind === 'chartPhone'
  return isOther && !files.chart.isOwn && !files[kind].isOwn
}

interface FileRowsProps {
  kinds: readonly FileKind[]
  draft: PageDraft
}

export function FileRows({ kinds, draft }: FileRowsProps) {
  const { files, revision } = draft.state
  return (
    <div className={styles.rows}>
      {kinds.map((kind) => (
        <FileRow key={kind} kind={kind} file={files[kind]} revision={revision}>
          <FileWords kind={kind} draft={draft} />
        </FileRow>
      ))}
    </div>
  )
}

/** The file that is given away or shown now. */
function FileWords({ kind, draft }: { kind: FileKind; draft: PageDraft }) {
  const { files } = draft.state
  const file = files[kind]
  if (kind === 'script') return <ScriptWords draft={draft} />
  if (file.isOwn && kind === 'guide') {
    return (
      <div className={styles.drawn}>
        <DrawnPicture kind="guide" />
        <Soft>Its first page is shown on the card. The personal page offers the file.</Soft>
      </div>
    )
  }
  if (file.isOwn) return <OwnPicture kind={kind} file={file} />
  if (kind === 'sharePicture') {
    return (
      <div className={styles.drawn}>
        <DrawnPicture kind="sharePicture" />
        <Soft>Drawn from your name and headline, and again when they change.</Soft>
      </div>
    )
  }
  if (kind === 'chart' && files.script.isOwn) {
    return <Soft>None. Ours shows EMA lines and is left out with your script.</Soft>
  }
  return <Soft>{wordsOfOurs[kind]}</Soft>
}

const wordsOfOurs: Record<Exclude<FileKind, 'script' | 'sharePicture'>, string> = {
  chartDark: 'None. Your chart is shown there too.',
  chartPhone: 'None. Your chart is shown there too.',
  guide: 'Ours: it is made from the texts of the guide, and again when they change.',
  chart: 'None. The page shows ours, drawn from the run of our script.',
  portrait: 'None. The note shows your name alone.',
  icon: 'Ours, in the colours of the page.',
}

function headingOf({ state }: PageDraft): string {
  const { scriptVersion } = state
  const { script } = state.files
  if (!script.isOwn) return 'Visitors get our sample script.'
  if (!scriptVersion) return 'Your script has no version yet.'
  return `Visitors get your ${scriptVersion.version}${script.isChanged ? ' once you publish' : ''}.`
}

/** Its version, and from the second one on what changed in it. */
function ScriptWords({ draft }: { draft: PageDraft }) {
  const { scriptVersion } = draft.state
  const { script } = draft.state.files
  if (!script.isOwn) return <Soft>Ours, the EMA crossover.</Soft>
  if (!scriptVersion) return <VersionLine />
  const releases = draft.texts['releases']
  const hasEarlierVersion = Array.isArray(releases) && releases.length > 1
  const lines = linesOf(valueAt(textAt(draft.texts, 'releases', draft.own), '0.changes'))
  const told = lines.filter((line) => line.trim() !== '')
  const change = (changes: string[]) => draft.change('releases.0.changes', changes)
  return (
    <>
      {hasEarlierVersion && (
        <Textarea
          label="What changed?"
          description="A line for each change. It becomes a release."
          name="releases.0.changes"
          autosize
          minRows={2}
          value={lines.join('\n')}
          error={told.length > 0 ? undefined : 'Say it before you publish.'}
          onChange={(event) => change(event.target.value.split('\n'))}
          // While it is typed, a line is blank before its first letter.
          onBlur={() => told.length < lines.length && change(told)}
        />
      )}
      <Note>
        Version {scriptVersion.version} of {scriptVersion.date}, read from its version line.
      </Note>
      {hasEarlierVersion && (
        <Soft>
          After publishing: <a href={hrefOf('letters')}>tell the list</a>.
        </Soft>
      )}
    </>
  )
}

function linesOf(value: ContentValue | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
