import { Button, Group, NumberInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import { useSettled } from '#owner/desk/views/api/use-settled.ts'
import { counted } from '#owner/desk/views/format/format.ts'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { Soft } from '#owner/desk/views/parts/text.tsx'
import { maxAfterDays } from '#owner/mailings/limits.ts'
import type { Letter, OpenLetter } from './use-letter.ts'

interface OpenProps {
  open: OpenLetter
}

/** The day of a letter of the series. Once it was on, a new day may take the letter from people. */
export function Day({ open: { letter, change }, kept }: OpenProps & { kept: Letter }) {
  const afterDays = letter.afterDays ?? 1
  const [typed, setTyped] = useState<number>()
  const isDraft = kept.state === 'draft'
  const choose = (day: number) => {
    if (isDraft) change({ afterDays: day })
    else setTyped(day === afterDays ? undefined : day)
  }
  return (
    <Section heading="When">
      <NumberInput
        label="Days after they agreed to news"
        min={1}
        max={maxAfterDays}
        clampBehavior="strict"
        allowDecimal={false}
        value={typed ?? afterDays}
        onChange={(value) => Number(value) >= 1 && choose(Number(value))}
      />
      {typed !== undefined && (
        <NewDay
          id={letter.id}
          day={typed}
          onTake={() => {
            setTyped(undefined)
            change({ afterDays: typed })
          }}
        />
      )}
    </Section>
  )
}

interface NewDayProps {
  id: number
  day: number
  onTake: () => void
}

/** Says who would miss the letter before its day is changed. */
function NewDay({ id, day, onTake }: NewDayProps) {
  const trpc = useTRPC()
  const afterDays = useSettled(day, { ms: 300 })
  const missing = useQuery(trpc.mailings.missing.queryOptions({ id, afterDays }))
  const isCounted = missing.isSuccess && afterDays === day
  return (
    <Group mt="xs">
      <div role="status">{isCounted && <Soft>{missingWords(missing.data)}</Soft>}</div>
      <Button onClick={onTake} disabled={!isCounted}>
        {`Change the day to ${day}`}
      </Button>
    </Group>
  )
}

function missingWords(people: number): string {
  if (people === 0) return 'Nobody would miss the letter.'
  const who = counted(people, 'person has', 'people have')
  return `${who} passed this day already, and would miss the letter.`
}

/** The time of a letter that goes out once. */
export function SendAt({ open: { letter, change } }: OpenProps) {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <Section heading="When">
      <TextInput
        type="datetime-local"
        label="Send at"
        description={`In your time zone, ${zone}. Empty: a minute after you confirm. Until then you can take it back.`}
        value={letter.sendAt === null ? '' : localTime(letter.sendAt)}
        onChange={(event) => {
          const at = Date.parse(event.target.value)
          change({ sendAt: Number.isNaN(at) ? null : at })
        }}
      />
    </Section>
  )
}

/** As the browser's field writes a moment in the owner's zone. */
function localTime(at: number): string {
  const date = new Date(at)
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
