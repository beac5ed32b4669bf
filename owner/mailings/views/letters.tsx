import { Switch } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type RouterOutputs, useTRPC } from '#owner/desk/views/api/trpc.ts'
import { formatDay, formatMoment, formatNumber } from '#owner/desk/views/format/format.ts'
import { go, hrefOf } from '#owner/desk/views/navigation/location.ts'
import { ActionButton } from '#owner/desk/views/parts/actions/action-button.tsx'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { Disclosure } from '#owner/desk/views/parts/disclosure.tsx'
import { LoadingRows, Rows } from '#owner/desk/views/parts/outline/rows.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { View } from '#owner/desk/views/parts/outline/view.tsx'
import { firstDayMails } from '#owner/mailings/limits.ts'
import { CopyLetter, LetterActions, type ListedLetter } from './letter-actions.tsx'
import { isMoving, movingMs, UnderWay } from './under-way.tsx'

/** Letters: those that are written, the series, and those that were sent. */
export function Letters() {
  const trpc = useTRPC()
  const query = useQuery({
    ...trpc.mailings.list.queryOptions(),
    refetchInterval: ({ state }) => (state.data?.mailings.some(isMoving) ? movingMs : false),
  })
  if (!query.data) {
    return (
      <View heading="Letters" query={query}>
        {query.isPending && <LoadingRows />}
      </View>
    )
  }
  const { mailings, versionToTell, warmUp } = query.data
  const once = mailings.filter(({ afterDays }) => afterDays === null)
  const inState = (...states: ListedLetter['state'][]) =>
    once.filter(({ state }) => states.includes(state))
  const removed = mailings.filter(({ isRemoved }) => isRemoved)
  const ended = inState('done', 'cancelled').filter(({ isRemoved }) => !isRemoved)
  return (
    <View
      heading="Letters"
      query={query}
      actions={
        <>
          <NewLetter kind="letter">New letter</NewLetter>
          {versionToTell !== null && (
            <NewLetter kind="version">{`Tell people about version ${versionToTell}`}</NewLetter>
          )}
        </>
      }
    >
      <UnderWay letters={inState('scheduled', 'sending', 'paused')} />
      <Drafts letters={inState('draft')} />
      <Series
        letters={mailings.filter(
          ({ afterDays, state }) => afterDays !== null && state !== 'cancelled',
        )}
      />
      <Sent letters={ended} />
      {removed.length > 0 && <Removed letters={removed} />}
      {(!warmUp.isOn || mailings.some(({ toSend }) => toSend > firstDayMails)) && (
        <WarmUp warmUp={warmUp} />
      )}
    </View>
  )
}

interface NewLetterProps {
  kind: 'letter' | 'series' | 'version'
  children: string
}

function NewLetter({ kind, children }: NewLetterProps) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const add = useMutation(
    trpc.mailings.add.mutationOptions({
      ...followUp({ refresh: [trpc.mailings.pathFilter()] }),
      onSuccess: (id) => go(`letters/${id}`),
    }),
  )
  return (
    <ActionButton
      variant={kind === 'letter' ? 'filled' : 'default'}
      mutation={add}
      input={{ kind }}
    >
      {children}
    </ActionButton>
  )
}

function TitleLink({ letter: { id, title } }: { letter: ListedLetter }) {
  return <a href={hrefOf(`letters/${id}`)}>{title}</a>
}

function Drafts({ letters }: { letters: readonly ListedLetter[] }) {
  return (
    <Section
      heading="Drafts"
      rows={letters.map((letter) => ({
        id: letter.id,
        words: <TitleLink letter={letter} />,
        note: letter.subject.trim() === '' ? 'No subject yet' : null,
        actions: <LetterActions letter={letter} />,
        axis: formatMoment(letter.changedAt),
      }))}
    />
  )
}

function Series({ letters }: { letters: readonly ListedLetter[] }) {
  return (
    <Section
      heading="Series"
      note="Each letter goes out a set number of days after a person agreed to news. Letters that are off are not sent."
      isKept
      actions={<NewLetter kind="series">New letter of the series</NewLetter>}
      rows={letters.map((letter) => ({
        id: letter.id,
        words: <TitleLink letter={letter} />,
        note: seriesNote(letter),
        actions: <LetterActions letter={letter} />,
        axis: `Day ${letter.afterDays}`,
      }))}
    />
  )
}

function seriesNote({ state, sent, left, pausedWhy }: ListedLetter): string {
  const figures = `${formatNumber(sent)} sent, ${formatNumber(left)} left within a day`
  if (pausedWhy !== null) return `Has paused: ${pausedWhy} · ${figures}`
  return `${state === 'sending' ? 'On' : 'Off'} · ${figures}`
}

function Sent({ letters }: { letters: readonly ListedLetter[] }) {
  return (
    <Section
      heading="Sent"
      rows={letters.map((letter) => ({
        id: letter.id,
        words: <TitleLink letter={letter} />,
        note: `${formatNumber(letter.sent)} sent, ${formatNumber(letter.failed)} failed, ${formatNumber(letter.left)} left within a day${letter.state === 'cancelled' ? ' · the rest was cancelled' : ''}`,
        actions: <CopyLetter id={letter.id}>Write another like it</CopyLetter>,
        axis: formatDay(letter.startsAt ?? letter.changedAt),
      }))}
    />
  )
}

function Removed({ letters }: { letters: readonly ListedLetter[] }) {
  return (
    <Disclosure words="Removed">
      <Rows
        rows={letters.map((letter) => ({
          id: letter.id,
          words: letter.title,
          actions: <LetterActions letter={letter} />,
        }))}
      />
    </Disclosure>
  )
}

type WarmUpState = RouterOutputs['mailings']['list']['warmUp']

function WarmUp({ warmUp: { isOn, roomToday } }: { warmUp: WarmUpState }) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const change = useMutation(
    trpc.mailings.switchWarmUp.mutationOptions(followUp({ refresh: [trpc.mailings.pathFilter()] })),
  )
  return (
    <Disclosure words="Warm-up">
      <Switch
        label={`Start slowly: ${formatNumber(firstDayMails)} emails on the first day, then each day at most twice as many as were sent in total before`}
        description={`${roomToday === null ? '' : `Up to ${formatNumber(roomToday)} more can go out today. `}A new sender that mails many people at once looks like spam. Switch it off if your domain has sent much mail before.`}
        checked={isOn}
        onChange={(event) => change.mutate({ isOn: event.currentTarget.checked })}
      />
    </Disclosure>
  )
}
