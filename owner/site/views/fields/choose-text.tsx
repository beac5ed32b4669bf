import { Button, Group } from '@mantine/core'
import type { ContentValue } from '#site/words/description.ts'
import { formatDayAndTime } from '#owner/desk/views/format/format.ts'
import { Glyph } from '#owner/desk/views/parts/glyph.tsx'
import type { Conflict } from '../draft/draft-keeper.ts'
import { ShownValue } from './shown-value.tsx'
import styles from './field.module.css'

interface ChooseTextProps {
  mine: ContentValue
  conflict: Pick<Conflict, 'theirs' | 'changedAt'>
  onMine: () => void
  onTheirs: () => void
}

/** Two devices changed a field: both texts, whole. Nothing is saved before one is chosen. */
export function ChooseText({ mine, conflict, onMine, onTheirs }: ChooseTextProps) {
  const { theirs, changedAt } = conflict
  return (
    <div role="alert" className={styles.choose}>
      <p>
        <Glyph mark="wrong" />
        Changed on another device at {formatDayAndTime(changedAt)}.
      </p>
      <dl>
        <dt>Mine</dt>
        <dd>
          <ShownValue value={mine} />
        </dd>
        <dt>Theirs</dt>
        <dd>
          <ShownValue value={theirs} />
        </dd>
      </dl>
      <Group gap="xs">
        <Button h={44} onClick={onMine}>
          Keep mine
        </Button>
        <Button h={44} onClick={onTheirs}>
          Take theirs
        </Button>
      </Group>
    </div>
  )
}
