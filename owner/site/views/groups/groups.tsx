import { NativeSelect } from '@mantine/core'
import type { Finding } from '#site/words/finding.ts'
import { groups as labels } from '#content/content.ts'
import {
  allFields,
  type Field,
  type FieldGroup,
  type FieldPart,
  fieldGroups,
} from '#site/words/description.ts'
import { go, hrefOf } from '#owner/desk/views/navigation/location.ts'
import { Glyph } from '#owner/desk/views/parts/glyph.tsx'
import type { PageDraft } from '../draft/use-draft.ts'
import { showNamedField } from './field-link.tsx'
import styles from './groups.module.css'

/** The texts of one group stand in others, too. */
const often: FieldGroup = {
  id: 'often',
  label: 'What people change',
  parts: [...Map.groupBy(allFields().filter(isOften), ({ group }) => group)].map(
    ([id, fields]) => ({ label: labels[id as keyof typeof labels], fields }), // a group of the schema
  ),
}

export const groups: readonly FieldGroup[] = [often, ...fieldGroups()]

function isOften(field: Field): boolean {
  return field.often === true
}

const filesPath = 'page/files'

/** The group of the colours stands after the files, and the icon is chosen above its fields. */
export const coloursId = 'colours'

export interface Place {
  group: FieldGroup
  part: FieldPart
}

/**
 * The group and the part that a path stands in; the first ones if it stands in none. `open`: the
 * group that is open stays so, if the path stands in it.
 */
export function placeOf(path: string, open = ''): Place {
  const ordered = groups.toSorted(
    (one, other) => Number(other.id === open) - Number(one.id === open),
  )
  const places = ordered.flatMap((group) => group.parts.map((part) => ({ group, part })))
  const found = places.find(({ part }) => part.fields.some((field) => isWithin(path, field.path)))
  return found ?? { group: often, part: often.parts[0]! }
}

/** The same path, or one below it. */
export function isWithin(path: string, above: string): boolean {
  return path === above || path.startsWith(`${above}.`)
}

interface GroupsProps {
  draft: PageDraft
  place: Place
  onOpen(group: FieldGroup): void
}

/** The groups in the order of the page, and the parts of the open one. */
export function Groups({ draft, place, onOpen }: GroupsProps) {
  const { icon: _icon, ...files } = draft.state.files // the icon stands with the colours
  const changedFiles = Object.values(files).filter(({ isChanged }) => isChanged).length
  return (
    <nav aria-label="Texts" className={styles.groups}>
      <ul>
        {groups
          .filter((group) => group.id !== coloursId)
          .map((group) => (
            <GroupItem key={group.id} group={group} draft={draft} place={place} onOpen={onOpen} />
          ))}
      </ul>
      <ul className={styles.others}>
        <li>
          <a href={hrefOf('page/files')} className={styles.link}>
            <span className={styles.name}>Files</span>
            {changedFiles > 0 && <span className={styles.count}>{changedFiles}</span>}
          </a>
        </li>
        {groups
          .filter((group) => group.id === coloursId)
          .map((group) => (
            <GroupItem key={group.id} group={group} draft={draft} place={place} onOpen={onOpen} />
          ))}
      </ul>
    </nav>
  )
}

function GroupItem({ group, draft, place, onOpen }: GroupsProps & { group: FieldGroup }) {
  const isCurrent = group === place.group
  return (
    <li>
      <PlaceLink
        label={group.label}
        part={group.parts[0]!}
        isCurrent={isCurrent}
        onOpen={() => onOpen(group)}
        marks={<Marks draft={draft} parts={group.parts} />}
      />
      {isCurrent && group.parts.length > 1 && (
        <ul>
          {group.parts.map((part) => (
            <li key={part.label}>
              <PlaceLink
                label={part.label}
                part={part}
                isCurrent={part === place.part}
                onOpen={() => onOpen(group)}
                marks={<Marks draft={draft} parts={[part]} />}
              />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

interface PlaceLinkProps {
  label: string
  part: FieldPart
  isCurrent: boolean
  onOpen(): void
  marks: React.ReactNode
}

function PlaceLink({ label, part, isCurrent, onOpen, marks }: PlaceLinkProps) {
  const path = part.fields[0]?.path ?? ''
  return (
    <a
      href={hrefOf(`page#${path}`)}
      onClick={() => {
        onOpen()
        showNamedField(path)
      }}
      className={styles.link}
      aria-current={isCurrent ? 'true' : undefined}
    >
      <span className={styles.name}>{label}</span>
      {marks}
    </a>
  )
}

/** Says what is wrong, else how many changes there are, else what to look at. */
function Marks({ draft, parts }: { draft: PageDraft; parts: readonly FieldPart[] }) {
  const fields = parts.flatMap((part) => part.fields)
  const isHere = (path: string) => fields.some((field) => isWithin(path, field.path))
  const found = draft.findings.filter(({ path }) => isHere(path))
  const changes = draft.changedPaths.filter(isHere).length
  if (found.some(({ kind }) => kind === 'fault')) return <Mark finding="fault" />
  if (changes > 0) return <span className={styles.count}>{changes}</span>
  return found.length > 0 ? <Mark finding="warning" /> : null
}

function Mark({ finding }: { finding: Finding['kind'] }) {
  return (
    <span role="img" aria-label={finding === 'fault' ? 'does not fit' : 'warning'}>
      <Glyph mark={finding === 'fault' ? 'wrong' : 'look'} />
    </span>
  )
}

/** On a phone: the groups as two picks. */
export function GroupPicks({ place: { group, part }, onOpen }: Omit<GroupsProps, 'draft'>) {
  const open = (chosen: FieldPart | undefined) => go(`page#${chosen?.fields[0]?.path ?? ''}`)
  return (
    <div className={styles.picks}>
      <NativeSelect
        label="Group"
        value={group.id}
        data={[
          ...groups.map(({ id, label }) => ({ value: id, label })),
          { value: filesPath, label: 'Files' },
        ]}
        onChange={({ currentTarget: { value } }) => {
          const chosen = groups.find(({ id }) => id === value)
          if (!chosen) return go(filesPath)
          onOpen(chosen)
          open(chosen.parts[0])
        }}
      />
      <NativeSelect
        label="Part"
        value={part.label}
        data={group.parts.map(({ label }) => label)}
        onChange={({ currentTarget: { value } }) =>
          open(group.parts.find(({ label }) => label === value))
        }
      />
    </div>
  )
}
