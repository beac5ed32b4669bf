import { NumberInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import { useSettled } from '#owner/desk/views/api/use-settled.ts'
import { counted } from '#owner/desk/views/format/format.ts'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { Soft } from '#owner/desk/views/parts/text.tsx'
import type { Letter, OpenLetter } from './use-letter.ts'

interface OpenProps {
  open: OpenLetter
}

/** The day of a letter of the series. */
export function Days({ open: { letter, change }, kept }: OpenProps & { kept: Letter }) {
  const trpc = useTRPC()
  const afterDays = useSettled(letter.afterDays ?? 1, { ms: 300 })
  const missing = useQuery({
    ...trpc.mailings.missing.queryOptions({ id: letter.id, afterDays }),
    enabled: afterDays !== kept.afterDays,
  })
  const count = missing.data ?? 0
  return (
    <Section heading="When">
      <NumberInput
        label="Days after they agreed to news"
        min={1}
        max={60}
        allowDecimal={false}
        value={letter.afterDays ?? 1}
        onChange={(value) => Number(value) >= 1 && change({ afterDays: Number(value) })}
      />
      {count > 0 && (
        <Soft mt="xs">
          {counted(count, 'person has', 'people have')} passed this day already, and would miss the
          letter.
        </Soft>
      )}
    </Section>
  )
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
