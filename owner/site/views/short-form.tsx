import { Box, Button } from '@mantine/core'
import { fieldAt } from '#site/words/description.ts'
import { hrefOf } from '#owner/desk/views/navigation/location.ts'
import { NoSuchView } from '#owner/desk/views/parts/no-such-view.tsx'
import { LoadingRows } from '#owner/desk/views/parts/outline/rows.tsx'
import { View } from '#owner/desk/views/parts/outline/view.tsx'
import { Soft } from '#owner/desk/views/parts/text.tsx'
import { type PageDraft, useDraft } from './draft/use-draft.ts'
import { FieldRows } from './fields/field-rows.tsx'
import { OneColour } from './fields/one-colour.tsx'
import type { FileKind } from '#site/source.ts'
import { FileRows } from './files/files.tsx'
import { HeadActions } from './head.tsx'

interface Form {
  heading: string
  note: string
  files: readonly FileKind[]
  /** Paths of texts. */
  texts: readonly string[]
  /** The texts are about the owner's own file of this kind. */
  textsWith?: FileKind
  /** Its texts follow from one colour. */
  hasColour?: boolean
}

/** The forms behind the lines of Ready that are about the page, in their order. */
const forms: Record<string, Form> = {
  script: {
    heading: 'Your script',
    note: 'Without one of your own, visitors get our EMA crossover.',
    files: ['script'],
    texts: ['kit.script.name', 'kit.rule'],
    textsWith: 'script',
  },
  guide: {
    heading: 'Your guide',
    note: 'A PDF of yours, or ours, which is made from your texts and names your script.',
    files: ['guide'],
    texts: [],
  },
  you: {
    heading: 'You',
    note: 'Your name signs the page and every mail. The law asks for a postal address in mail.',
    files: ['portrait'],
    texts: [
      'brand.creatorName',
      'brand.postalAddress',
      'brand.name',
      'landingPage.creatorNote.person.linkText',
      'landingPage.creatorNote.person.linkUrl',
    ],
  },
  words: {
    heading: 'Your words',
    note: 'The headline, the text under it, and the note that you sign. Page has all other texts.',
    files: [],
    texts: [
      'landingPage.hero.heading.0',
      'landingPage.hero.heading.1',
      'landingPage.hero.lede',
      'landingPage.creatorNote.paragraphs',
    ],
  },
  colour: {
    heading: 'Your colour',
    note: 'Page, mail, guide, icon and share picture have it, on light screens and on dark ones. Page has all other colours.',
    files: [],
    texts: ['palette.light.fast', 'palette.light.slow', 'palette.dark.fast', 'palette.dark.slow'],
    hasColour: true,
  },
}

/** `part`: the name of the form, as in the address. */
export function ShortForm({ part }: { part: string }) {
  const form = Object.hasOwn(forms, part) ? forms[part] : undefined
  const { query, draft } = useDraft()
  if (!form) return <NoSuchView />
  return (
    <View
      heading={form.heading}
      note={form.note}
      actions={
        draft && (
          <HeadActions draft={draft}>
            <Next part={part} />
            <Button component="a" href={hrefOf('ready')}>
              Back to Ready
            </Button>
          </HeadActions>
        )
      }
      query={query}
    >
      {query.isPending && <LoadingRows />}
      {draft && <Fields form={form} draft={draft} />}
    </View>
  )
}

function Next({ part }: { part: string }) {
  const names = Object.keys(forms)
  const next = names[names.indexOf(part) + 1]
  if (next === undefined) return undefined
  return (
    <Button component="a" href={hrefOf(`ready/${next}`)}>
      {`Next: ${forms[next]!.heading}`}
    </Button>
  )
}

function Fields({ form, draft }: { form: Form; draft: PageDraft }) {
  const { files, texts, textsWith, hasColour = false } = form
  const fields = texts.map((path) => fieldAt(path)!) // each is a text of the schema
  const hasTexts = textsWith === undefined || draft.own[textsWith] === true
  return (
    <Box mt="xl">
      {files.length > 0 && <FileRows kinds={files} draft={draft} />}
      {hasColour && <OneColour draft={draft} />}
      {hasTexts && <FieldRows draft={draft} fields={fields} />}
      <Soft mt="lg">The draft is saved as you type. Visitors see it once you publish.</Soft>
    </Box>
  )
}
