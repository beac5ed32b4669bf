import { NativeSelect } from '@mantine/core'
import type { ImportSummary } from '#owner/people/import/import-file.ts'
import { formatNumber } from '#owner/desk/views/format/format.ts'
import type { RowProps } from '#owner/desk/views/parts/outline/rows.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import type { ImportWish, ValueMeaning } from './use-send-import.ts'

type Column = ImportSummary['permissionColumns'][number]
type Value = Column['values'][number]

interface ValuesProps {
  wish: ImportWish
  tried: ImportSummary
  onChange: (wish: ImportWish) => void
}

/** Asks what the values of a column mean, where the names of columns do not tell. */
export function Values({ wish, tried, onChange }: ValuesProps) {
  const explain = (given: ValueMeaning) => {
    const others = wish.meanings.filter(
      ({ column, value }) => column !== given.column || value !== given.value,
    )
    onChange({ ...wish, meanings: [...others, given] })
  }
  return tried.permissionColumns
    .filter(({ isAsked }) => isAsked)
    .map((column) => (
      <Section
        key={column.index}
        heading={`May these people be mailed? “${column.name}” says:`}
        rows={column.values.map((value) => rowFor(value, column, explain))}
      />
    ))
}

const choices: readonly { value: ValueMeaning['meaning']; label: string }[] = [
  { value: 'mailed', label: 'May be mailed' },
  { value: 'left', label: 'Left, is refused' },
]

function rowFor(
  { value, count, permission }: Value,
  { index, name }: Column,
  onExplain: (given: ValueMeaning) => void,
): RowProps {
  const words = value === '' ? '(nothing)' : value
  const isUnclear = permission === 'unclear'
  return {
    id: value,
    mark: isUnclear ? 'look' : 'dash',
    words,
    actions: (
      <NativeSelect
        aria-label={`${words} under ${name}`}
        value={isUnclear ? '' : permission === 'left' ? 'left' : 'mailed'}
        data={isUnclear ? [{ value: '', label: 'Choose' }, ...choices] : choices}
        onChange={({ target }) => {
          const meaning = choices.find(({ value: known }) => known === target.value)?.value
          if (meaning) onExplain({ column: index, value, meaning })
        }}
      />
    ),
    axis: formatNumber(count),
  }
}
