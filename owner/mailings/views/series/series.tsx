import { Button, Group } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type RouterOutputs, useTRPC } from '#owner/desk/views/api/trpc.ts'
import { counted, formatNumber } from '#owner/desk/views/format/format.ts'
import { useViewState } from '#owner/desk/views/navigation/view-state.ts'
import { ActionButton } from '#owner/desk/views/parts/actions/action-button.tsx'
import { ConfirmButton } from '#owner/desk/views/parts/actions/confirm-button.tsx'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { LinkButton } from '#owner/desk/views/parts/link-button.tsx'
import { LoadingRows } from '#owner/desk/views/parts/outline/rows.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { EditLetter, NewLetter } from './edit-letter.tsx'

type Letter = RouterOutputs['series']['show']['letters'][number]

/** Not the name of a letter. */
const newLetter = '+'

/** The letters that follow the kit, in their order, and the one that is open. */
export function Series() {
  const trpc = useTRPC()
  const query = useQuery(trpc.series.show.queryOptions())
  const [{ open }, choose] = useViewState({ open: '' })
  if (!query.data) {
    return (
      <Section heading="The series" query={query}>
        {query.isPending && <LoadingRows />}
      </Section>
    )
  }
  const { isOn, letters } = query.data
  const letter = letters.find(({ name }) => name === open)
  return (
    <>
      <Section
        heading={isOn ? 'The series is on.' : 'The series is off.'}
        note="Each letter comes so many days after somebody asked for news, at the hour of their sign-up, once. It gives way to what you announce."
        actions={
          <Group gap="xs">
            <SwitchSeries isOn={isOn} />
            <Button onClick={() => choose({ open: newLetter })}>Add a letter</Button>
          </Group>
        }
        rows={letters.map((one, index) => ({
          id: one.name,
          words: (
            <>
              <LinkButton
                aria-pressed={one.name === open}
                onClick={() => choose({ open: one.name })}
              >
                {one.subject || one.name}
              </LinkButton>
              {one.isOn ? '' : ' is off'}
              {one.pausedWhy !== null && ` has paused: ${one.pausedWhy}`}
            </>
          ),
          note: describe(one),
          actions: <LetterActions letter={one} isFirst={index === 0} />,
          axis: `day ${one.afterDays}`,
        }))}
      />
      {open === newLetter && <NewLetter onAdd={(name) => choose({ open: name })} />}
      {letter && <EditLetter key={letter.name} letter={letter} />}
    </>
  )
}

function describe({ due, sent, failed, left }: Letter): string {
  if (due === 0) return 'None is due yet.'
  return `${counted(due, 'was', 'were')} due · ${formatNumber(sent)} sent · ${formatNumber(failed)} failed · ${formatNumber(left)} left within a day`
}

function SwitchSeries({ isOn }: { isOn: boolean }) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const change = useMutation(
    trpc.series.switch.mutationOptions(followUp({ refresh: [trpc.series.pathFilter()] })),
  )
  return (
    <ConfirmButton
      words={isOn ? 'Switch the series off' : 'Switch the series on'}
      variant="filled"
      mutation={change}
      input={{ isOn: !isOn }}
    >
      {isOn
        ? 'No letter goes out. When you switch it on again, each goes to people who have not passed its day.'
        : 'Each letter goes to people who agree to news from now on, and to those who have not passed its day. Read them all first.'}
    </ConfirmButton>
  )
}

function LetterActions({ letter, isFirst }: { letter: Letter; isFirst: boolean }) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const refresh = [trpc.series.pathFilter()]
  const change = useMutation(trpc.series.switch.mutationOptions(followUp({ refresh })))
  const move = useMutation(trpc.series.moveUp.mutationOptions(followUp({ refresh })))
  const remove = useMutation(trpc.series.remove.mutationOptions(followUp({ refresh })))
  const { name, subject, isOn, pausedWhy } = letter
  const goesOn = pausedWhy !== null || !isOn
  return (
    <>
      <ActionButton
        aria-label={`${goesOn ? 'On' : 'Off'}: ${subject}`}
        mutation={change}
        input={{ name, isOn: goesOn }}
      >
        {goesOn ? 'On' : 'Off'}
      </ActionButton>
      {!isFirst && (
        <ActionButton aria-label={`Move up: ${subject}`} mutation={move} input={{ name }}>
          Move up
        </ActionButton>
      )}
      <ConfirmButton
        words="Remove"
        aria-label={`Remove: ${subject}`}
        heading={`Remove “${subject}”?`}
        mutation={remove}
        input={{ name }}
      >
        It no longer goes out. If you add it again, people who have it do not get it a second time.
      </ConfirmButton>
    </>
  )
}
