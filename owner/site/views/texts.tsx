import { TextInput, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import { allFields, type Field, type FieldGroup, nameOf } from '#site/words/description.ts'
import { textAt } from '../draft/draft-difference.ts'
import { go, useHash } from '#owner/desk/views/navigation/location.ts'
import type { Loading } from '#owner/desk/views/parts/fault.tsx'
import { View } from '#owner/desk/views/parts/outline/view.tsx'
import { Note, Soft } from '#owner/desk/views/parts/text.tsx'
import type { PageDraft } from './draft/use-draft.ts'
import { FieldLink, showField } from './groups/field-link.tsx'
import { reasonForNoEffect } from './groups/no-effect.ts'
import { FieldRows } from './fields/field-rows.tsx'
import { FileRows } from './files/files.tsx'
import { coloursId, GroupPicks, Groups, isWithin, type Place, placeOf } from './groups/groups.tsx'
import { EarlierVersions, HeadActions, headingOf, headNote } from './head.tsx'
import { Preview } from './preview/preview.tsx'
import { type Sheet, Sheets } from './sheets.tsx'
import styles from './page.module.css'

interface TextsProps {
  draft: PageDraft
  query: Loading
}

/** The texts of the page in groups, and beside them the page as it would be. */
export function Texts({ draft, query }: TextsProps) {
  const path = useHash()
  const [openGroup, setOpenGroup] = useState('')
  const [search, setSearch] = useState({ words: '', path })
  // A link to a text ends the search.
  const sought = search.path === path ? search.words : ''
  const seek = (words: string) => setSearch({ words, path })
  const place = placeOf(path, openGroup)
  const open = (group: FieldGroup) => {
    setOpenGroup(group.id)
    seek('')
  }
  const { sheet, showSheet, stayWith, openField } = useSheets(path)
  return (
    <View
      heading={headingOf(draft)}
      note={headNote(draft)}
      actions={
        <HeadActions draft={draft}>
          <EarlierVersions />
        </HeadActions>
      }
      query={query}
    >
      <div className={styles.columns}>
        <Groups draft={draft} place={place} onOpen={open} />
        <Sheets
          shown={sheet}
          onShow={showSheet}
          texts={
            <>
              <TextInput
                type="search"
                label="All texts"
                placeholder="Search"
                value={sought}
                onChange={(event) => seek(event.currentTarget.value)}
                mt="md"
              />
              <GroupPicks place={place} onOpen={open} />
              {sought.trim() === '' ? (
                <GroupFields draft={draft} place={place} />
              ) : (
                <FoundFields draft={draft} sought={sought} />
              )}
            </>
          }
          preview={<Preview draft={draft} path={path} onPress={stayWith} onOpenField={openField} />}
        />
      </div>
      <UnknownTexts paths={draft.state.unknownTexts} />
      <Note mt="xl">The draft is saved as you type. You can continue on another device.</Note>
    </View>
  )
}

/** Another field is shown among the texts, unless it was pressed in the preview. */
function useSheets(path: string) {
  const [chosen, choose] = useState<{ sheet: Sheet; path: string }>({ sheet: 'Texts', path })
  const sheet = chosen.path === path ? chosen.sheet : 'Texts'
  useEffect(() => {
    if (sheet === 'Texts') showField(path)
  }, [path, sheet])
  return {
    sheet,
    showSheet: (one: Sheet) => choose({ sheet: one, path }),
    stayWith: (pressed: string) => choose({ sheet, path: pressed }),
    openField(pressed: string) {
      choose({ sheet: 'Texts', path: pressed })
      go(`page#${pressed}`)
      showField(pressed) // the address may name it already
    },
  }
}

/** Texts of a draft or a version that the product has no more: an update took them out. */
function UnknownTexts({ paths }: { paths: readonly string[] }) {
  if (paths.length === 0) return undefined
  return (
    <Note mt="xl">
      The product does not have {paths.join(', ')} any more: what you wrote there is not shown.
    </Note>
  )
}

function GroupFields({ draft, place }: { draft: PageDraft; place: Place }) {
  const path = useHash()
  return (
    <div
      onFocus={({ target }) => {
        const name = target instanceof Element ? target.getAttribute('name') : null
        if (name?.includes('.')) go(`page#${name}`, { replace: true }) // a path; the input of a file has none
      }}
    >
      {place.group.id === coloursId && (
        <section aria-label="Pictures">
          <Title order={2} className={styles.partTitle}>
            Pictures
          </Title>
          <FileRows kinds={['icon']} draft={draft} />
        </section>
      )}
      {place.group.parts.map((part) => (
        <section key={`${place.group.id} ${part.label}`} aria-label={part.label}>
          <Title order={2} className={styles.partTitle}>
            {part.label}
          </Title>
          <PartFields draft={draft} fields={part.fields} path={path} />
        </section>
      ))}
    </div>
  )
}

interface PartFieldsProps {
  draft: PageDraft
  fields: readonly Field[]
  /** The path of the text that is looked for. */
  path: string
}

/** Texts without an effect are folded away, with the reason. */
function PartFields({ draft, fields, path }: PartFieldsProps) {
  const byReason = Map.groupBy(fields, (field) => reasonForNoEffect(field, draft.own) ?? '')
  const shown = byReason.get('') ?? []
  byReason.delete('')
  return (
    <>
      <FieldRows draft={draft} fields={shown} />
      {[...byReason].map(([reason, some]) => (
        <details key={reason} open={some.some((field) => isWithin(path, field.path)) || undefined}>
          <summary className={styles.folded}>
            {reason}, so {some.length === 1 ? 'one text has' : `${some.length} texts have`} no
            effect right now
          </summary>
          <FieldRows draft={draft} fields={some} />
        </details>
      ))}
    </>
  )
}

/** The texts in which something stands, or of that name. */
function FoundFields({ draft, sought }: { draft: PageDraft; sought: string }) {
  const wanted = sought.trim().toLowerCase()
  const found = allFields().filter(({ path, where }) =>
    [nameOf(path), where, JSON.stringify(textAt(draft.texts, path, draft.own))].some((words) =>
      words?.toLowerCase().includes(wanted),
    ),
  )
  return (
    <section aria-label="Found">
      <Note mt="md">{found.length === 1 ? '1 text' : `${found.length} texts`}</Note>
      <ul className={styles.found}>
        {found.map(({ path, where }) => (
          <li key={path}>
            <FieldLink path={path} /> <Soft>{where}</Soft>
          </li>
        ))}
      </ul>
    </section>
  )
}
