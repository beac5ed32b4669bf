import { Button, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { polled } from '#owner/desk/views/api/queries.ts'
import { type RouterOutputs, useTRPC } from '#owner/desk/views/api/trpc.ts'
import { hrefOf } from '#owner/desk/views/navigation/location.ts'
import { ConfirmButton } from '#owner/desk/views/parts/actions/confirm-button.tsx'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { Glyph, type Mark } from '#owner/desk/views/parts/glyph.tsx'
import { View } from '#owner/desk/views/parts/outline/view.tsx'
import { OfferPasskey } from '#owner/desk/views/proof/make-passkey.tsx'
import { Soft } from '#owner/desk/views/parts/text.tsx'
import styles from '#owner/access/views/first-start.module.css'

type ReadyData = RouterOutputs['ready']['show']
type LineName = keyof ReadyData['lines']
type LineState = ReadyData['lines'][LineName]['state']

const askEveryMs = 10_000

/** In the order of the work. */
const checklist: readonly { name: LineName; words: string; path: string }[] = [
  { name: 'name', words: 'Your name and postal address', path: 'page#brand.creatorName' },
  { name: 'words', words: 'Your words', path: 'page' },
  { name: 'mail', words: 'Your mail service', path: 'mail-service' },
  { name: 'address', words: 'Your address on the internet', path: 'address' },
  { name: 'checkUp', words: 'Check-up', path: 'check-up' },
]

const marks: Record<LineState, Mark> = {
  done: 'ok',
  missing: 'wrong',
  wrong: 'wrong',
  look: 'look',
  waiting: 'dash',
  running: 'unknown',
}

/** The lines of what is missing before strangers see the page. */
export function Ready() {
  const trpc = useTRPC()
  const query = useQuery({ ...trpc.ready.show.queryOptions(), ...polled(askEveryMs) })
  const { data } = query
  return (
    <View
      heading={data && headingFor(data)}
      note={data && <Sentence data={data} />}
      actions={data && <Actions data={data} />}
      query={query}
    >
      <Lines data={data} />
      {data?.isHeldBack && <OfferPasskey />}
      <Soft mt="lg">
        A line ticks itself off when its part is done. A look does not hold the page back.
      </Soft>
    </View>
  )
}

function Sentence({ data: { isHeldBack } }: { data: ReadyData }) {
  return (
    <span>
      {isHeldBack
        ? 'Strangers read “This page opens soon.” until then. You see all of it under Page.'
        : 'Strangers see your page.'}
    </span>
  )
}

function Actions({ data: { isHeldBack, obstacles, publicUrl } }: { data: ReadyData }) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const reason = useId()
  const refresh = [trpc.ready.show.queryFilter(), trpc.today.state.queryFilter()]
  const open = useMutation(trpc.ready.open.mutationOptions(followUp({ refresh })))
  if (!isHeldBack) {
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
        disabled={obstacles.length > 0}
        {...(obstacles.length > 0 && { 'aria-describedby': reason })}
      >
        <p>{publicUrl}</p>
        <p>Strangers see it from then on.</p>
      </ConfirmButton>
      <Button component="a" href={hrefOf('page')}>
        See your page
      </Button>
      {obstacles.length > 0 && (
        <Text id={reason} c="ink2" fz="sm" w="100%">
          Not yet: {listInWords(obstacles)}.
        </Text>
      )}
    </>
  )
}

function headingFor({ isHeldBack, obstacles: { length } }: ReadyData): string {
  if (!isHeldBack) return 'Your page is open.'
  if (length === 0) return 'Nothing is missing.'
  const things = length === 1 ? 'thing is' : 'things are'
  return `${numbers[length] ?? String(length)} ${things} missing before you open.`
}

const numbers = ['', 'One', 'Two', 'Three', 'Four', 'Five']

/** Each says what it has or lacks, and its state on the axis. */
function Lines({ data }: { data: ReadyData | undefined }) {
  const isOpen = data?.isHeldBack === false
  return (
    <ul className={styles.lines}>
      {checklist.map(({ name, words, path }) => {
        const line = data?.lines[name]
        return (
          <Line
            key={name}
            mark={line ? marks[line.state] : 'unknown'}
            name={<a href={hrefOf(line?.place ?? path)}>{words}</a>}
            words={line?.words}
            tag={line?.tag ?? '–'}
          />
        )
      })}
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

function listInWords(parts: readonly string[]): string {
  const list = new Intl.ListFormat('en-GB', { type: 'conjunction' })
  return list.format(parts)
}
