import { Button, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { isLoopback, isPublicHost } from '#server/settings/hosts.ts'
import { polled } from '#owner/desk/views/api/queries.ts'
import { type TodayState, useTRPC } from '#owner/desk/views/api/trpc.ts'
import { counted } from '#owner/desk/views/format/format.ts'
import { hrefOf } from '#owner/desk/views/navigation/location.ts'
import { ConfirmButton } from '#owner/desk/views/parts/actions/confirm-button.tsx'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { Glyph, type Mark } from '#owner/desk/views/parts/glyph.tsx'
import { View } from '#owner/desk/views/parts/outline/view.tsx'
import { OfferPasskey } from '#owner/desk/views/proof/make-passkey.tsx'
import { Note, Soft } from '#owner/desk/views/parts/text.tsx'
import { useDraft } from '#owner/site/views/draft/use-draft.ts'
import { countChanges } from '#owner/site/views/head.tsx'
import styles from '#owner/access/views/first-start.module.css'
import { readyLines } from './ready-lines.ts'
import { marks } from './severity-words.ts'
import { YourLink } from './your-link.tsx'

const askEveryMs = 10_000

/** The list of what keeps the page from being opened, in the order of the work. */
export function Ready() {
  const trpc = useTRPC()
  const query = useQuery({ ...trpc.today.state.queryOptions(), ...polled(askEveryMs) })
  const { data } = query
  return (
    <View
      heading={data && headingFor(data)}
      note={data && <Sentence state={data} />}
      actions={data && <Actions state={data} />}
      query={query}
    >
      {data?.isHeldBack === false && <YourLink pageUrl={data.publicUrl} />}
      {data?.isHeldBack && <OfferPasskey />}
      <Lines state={data} />
      <Unpublished />
      <Soft mt="lg">A line ticks itself off when its part is done. Warnings do not stop you.</Soft>
    </View>
  )
}

/** The lines tell what is published: what is typed ticks off nothing yet. */
function Unpublished() {
  const { draft } = useDraft()
  const changes = draft ? countChanges(draft) : 0
  if (changes === 0) return undefined
  return (
    <Note mt="lg">
      {counted(changes, 'change is', 'changes are')} not published yet.{' '}
      <a href={hrefOf('page/publish')}>Publish</a>
    </Note>
  )
}

function blockingIn({ conditions }: TodayState) {
  return conditions.filter(({ severity }) => severity === 'blocks')
}

function Sentence({ state: { isHeldBack, publicUrl } }: { state: TodayState }) {
  if (isHeldBack) {
    return (
      <span>Strangers read “This page opens soon.” until then. You see all of it under Page.</span>
    )
  }
  return <span>{whoSees(new URL(publicUrl).hostname)}</span>
}

function whoSees(host: string): string {
  if (isLoopback(host)) return 'Only this machine can open it: its address leads nowhere else.'
  if (!isPublicHost(host)) return 'Nobody outside your own network can open it.'
  return 'Everybody who opens your link sees it.'
}

function Actions({ state }: { state: TodayState }) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const reason = useId()
  const refresh = [trpc.today.state.queryFilter()]
  const open = useMutation(trpc.conditions.openPage.mutationOptions(followUp({ refresh })))
  const blocking = blockingIn(state)
  const isBlocked = blocking.length > 0
  if (!state.isHeldBack) {
    return (
      <Button component="a" href="/">
        See your page
      </Button>
    )
  }
  return (
    <>
      <ConfirmButton
        words="Open the page"
        label="Open it now"
        mutation={open}
        input={undefined}
        disabled={isBlocked}
        {...(isBlocked && { 'aria-describedby': reason })}
      >
        <p>{state.publicUrl}</p>
        <p>Everybody who opens this link sees your page from then on.</p>
      </ConfirmButton>
      <Button component="a" href={hrefOf('page')}>
        See your page
      </Button>
      {isBlocked && (
        <Text id={reason} c="ink2" fz="sm" w="100%">
          Not yet. {blocking.map(({ what }) => what).join(' ')}
        </Text>
      )}
    </>
  )
}

function headingFor(state: TodayState): string {
  const { length } = blockingIn(state)
  if (!state.isHeldBack) return 'Your page is open.'
  if (length === 0) return 'Nothing is missing.'
  const things = length === 1 ? 'thing is' : 'things are'
  return `${numbers[length] ?? String(length)} ${things} missing before you open.`
}

const numbers = ['', 'One', 'Two', 'Three', 'Four', 'Five']

/** Each says what it has or lacks, and its state on the axis. */
function Lines({ state }: { state: TodayState | undefined }) {
  const isOpen = state?.isHeldBack === false
  return (
    <ul className={styles.lines}>
      {readyLines(state).map(({ name, place, severity, words, tag }) => (
        <Line
          key={name}
          mark={severity ? marks[severity] : 'unknown'}
          name={<a href={hrefOf(place)}>{name}</a>}
          words={words}
          tag={tag}
        />
      ))}
      <Line
        mark={isOpen ? 'ok' : 'dash'}
        name="Open the page"
        words={
          isOpen
            ? 'It is open.'
            : 'Asks once more. Then everybody sees it, and this list moves to You.'
        }
        tag={isOpen ? 'done' : 'last'}
      />
    </ul>
  )
}

interface LineProps {
  mark: Mark
  name: ReactNode
  words: string | undefined
  tag: string
}

function Line({ mark, name, words, tag }: LineProps) {
  return (
    <li className={styles.line}>
      <div>
        <Glyph mark={mark} />
        {name}
      </div>
      <div className={styles.words}>{words}</div>
      <div className={styles.tag}>{tag}</div>
    </li>
  )
}
