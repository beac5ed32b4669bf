import { Group, NumberInput, SimpleGrid } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldError } from '#owner/desk/views/api/errors.ts'
import { type RouterOutputs, useTRPC } from '#owner/desk/views/api/trpc.ts'
import { hrefOf } from '#owner/desk/views/navigation/location.ts'
import { ActionButton } from '#owner/desk/views/parts/actions/action-button.tsx'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { Soft } from '#owner/desk/views/parts/text.tsx'
import { Preview } from '../compose/compose.tsx'
import { LetterFields } from '../compose/letter-fields.tsx'

type Letter = RouterOutputs['series']['show']['letters'][number]
type LetterWords = Pick<Letter, 'subject' | 'preview' | 'text'>

const noWords: LetterWords = { subject: '', preview: '', text: '' }

/** A letter that is not in the series yet. */
export function NewLetter({ onAdd }: { onAdd: (name: string) => void }) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const [words, setWords] = useState(noWords)
  const [afterDays, setAfterDays] = useState(14)
  const add = useMutation(
    trpc.series.add.mutationOptions({
      ...followUp({ refresh: [trpc.series.pathFilter()] }),
      onSuccess: onAdd,
    }),
  )
  return (
    <SimpleGrid>
      <Section heading="A new letter">
        <LetterFields
          words={words}
          subjectError={fieldError(add.error, 'subject')}
          onChange={(changed) => setWords({ ...words, ...changed })}
        />
        <Days afterDays={afterDays} onChange={setAfterDays} />
        <Group mt="sm" gap="xs">
          <ActionButton variant="filled" mutation={add} input={{ ...words, afterDays }}>
            Add it
          </ActionButton>
          <SendTest words={words} />
        </Group>
      </Section>
      <Preview draft={{ kind: 'letter', ...words }} />
    </SimpleGrid>
  )
}

/** A letter of the series. Those of content/ have their words at the view Page. */
export function EditLetter({ letter }: { letter: Letter }) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const { name, subject, preview, text, isOfContent } = letter
  const [words, setWords] = useState<LetterWords>({ subject, preview, text })
  const [afterDays, setAfterDays] = useState(letter.afterDays)
  const change = useMutation(
    trpc.series.change.mutationOptions(
      followUp({ refresh: [trpc.series.pathFilter()], done: 'Saved.' }),
    ),
  )
  return (
    <SimpleGrid>
      <Section heading={subject}>
        {isOfContent ? (
          <Soft>
            Its words are edited at <a href={hrefOf('page')}>Page</a>, under Mail, The series.
          </Soft>
        ) : (
          <LetterFields words={words} onChange={(changed) => setWords({ ...words, ...changed })} />
        )}
        <Days afterDays={afterDays} onChange={setAfterDays} />
        <Group mt="sm" gap="xs">
          <ActionButton
            variant="filled"
            mutation={change}
            input={{ name, afterDays, ...(!isOfContent && { words }) }}
          >
            Save
          </ActionButton>
          <SendTest words={words} />
        </Group>
      </Section>
      <Preview draft={{ kind: 'letter', ...words }} />
    </SimpleGrid>
  )
}

function Days({ afterDays, onChange }: { afterDays: number; onChange: (days: number) => void }) {
  return (
    <NumberInput
      mt="sm"
      label="Days after they asked for news"
      min={1}
      max={60}
      allowDecimal={false}
      value={afterDays}
      onChange={(value) => onChange(Number(value))}
    />
  )
}

function SendTest({ words }: { words: LetterWords }) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const test = useMutation(
    trpc.announce.test.mutationOptions(
      followUp({ refresh: [], done: 'A test is on its way to you.' }),
    ),
  )
  return (
    <ActionButton mutation={test} input={{ kind: 'letter', ...words }}>
      Send a test to me
    </ActionButton>
  )
}
