import { Title } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { useEffect, useMemo, useState } from 'react'
import { textAt } from '../draft/draft-difference.ts'
import { go, useHash } from '#owner/desk/views/navigation/location.ts'
import type { Loading } from '#owner/desk/views/parts/fault.tsx'
import { View } from '#owner/desk/views/parts/outline/view.tsx'
import { Note } from '#owner/desk/views/parts/text.tsx'
import type { PageDraft } from './draft/use-draft.ts'
import { showField } from './groups/field-link.tsx'
import { type FieldActions, FieldRow } from './fields/field-row.tsx'
import { IconRow } from './files/files.tsx'
import { coloursId, GroupPicks, Groups, isWithin, type Place, placeOf } from './groups/groups.tsx'
import { HeadActions, headingOf, headNote } from './head.tsx'
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
  const place = placeOf(path)
  const { sheet, showSheet, stayWith, openField } = useSheets(path)
  return (
    <View
      heading={headingOf(draft)}
      note={headNote(draft)}
      actions={<HeadActions draft={draft} />}
      query={query}
    >
      <div className={styles.columns}>
        <Groups draft={draft} place={place} />
        <Sheets
          shown={sheet}
          onShow={showSheet}
          texts={
            <>
              <GroupPicks place={place} />
              <GroupFields draft={draft} place={place} />
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
  const actions = useFieldActions(draft)
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
          <IconRow draft={draft} />
        </section>
      )}
      {place.group.parts.map((part) => (
        <section key={`${place.group.id} ${part.label}`} aria-label={part.label}>
          <Title order={2} className={styles.partTitle}>
            {part.label}
          </Title>
          {part.fields.map((field) => (
            <FieldRow
              key={field.path}
              field={field}
              value={textAt(draft.texts, field.path, draft.own)}
              published={textAt(draft.state.published, field.path, draft.own)}
              findings={draft.findings.filter((one) => isWithin(one.path, field.path))}
              conflict={draft.conflicts[field.path]}
              actions={actions}
            />
          ))}
        </section>
      ))}
    </div>
  )
}

function useFieldActions(draft: PageDraft): FieldActions {
  const change = useCallbackRef(draft.change)
  const { keepMine, takeTheirs } = draft
  return useMemo(() => ({ change, keepMine, takeTheirs }), [change, keepMine, takeTheirs])
}
