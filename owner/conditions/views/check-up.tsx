import { useMutation, useQuery } from '@tanstack/react-query'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { type RouterOutputs, useTRPC } from '#owner/desk/views/api/trpc.ts'
import { counted, formatDayAndTime, formatMoment } from '#owner/desk/views/format/format.ts'
import { troublesOf } from './troubles.ts'
import { useTodayState } from '#owner/desk/views/api/use-today-state.ts'
import { hrefOf } from '#owner/desk/views/navigation/location.ts'
import { ActionButton } from '#owner/desk/views/parts/actions/action-button.tsx'
import { Copy } from '#owner/desk/views/parts/actions/copy.tsx'
import { Disclosure } from '#owner/desk/views/parts/disclosure.tsx'
import { LoadingRows, type RowProps, Rows } from '#owner/desk/views/parts/outline/rows.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { SoftWord } from '#owner/desk/views/parts/text.tsx'
import { View } from '#owner/desk/views/parts/outline/view.tsx'

type CheckUpState = RouterOutputs['checkUp']['show']
type Finding = CheckUpState['findings'][number]

const runningMs = 700

/** Shows findings that need the owner in full, and folds the others. */
export function CheckUp() {
  const trpc = useTRPC()
  const query = useQuery({
    ...trpc.checkUp.show.queryOptions(),
    refetchInterval: ({ state }) => state.data?.state === 'running' && runningMs,
  })
  const { data } = query
  const today = useTodayState().data
  // The check-up has no finding for these, and the frame says that something needs the owner.
  const troubles = today ? troublesOf(today).filter(({ isFinding }) => !isFinding) : []
  return (
    <View
      heading={data && headingFor(data, troubles.length)}
      note={data && sentenceFor(data)}
      actions={data && <Run state={data.state} />}
      query={query}
    >
      <Section
        heading="Open now"
        rows={troubles.map(({ heading, text, view }) => ({
          id: heading,
          mark: 'wrong',
          words: <strong>{heading}</strong>,
          note: text,
          actions: view !== 'check-up' && <a href={hrefOf(view)}>See what to do</a>,
        }))}
      />
      {query.isPending && <LoadingRows />}
      {data && <Findings findings={data.findings} />}
      {data?.webhooks && <Webhooks events={data.webhooks} />}
    </View>
  )
}

function Run({ state }: Pick<CheckUpState, 'state'>) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const refresh = [trpc.checkUp.show.queryFilter(), trpc.today.state.queryFilter()]
  const check = useMutation(trpc.checkUp.start.mutationOptions(followUp({ refresh })))
  const testMail = useMutation(trpc.checkUp.start.mutationOptions(followUp({ refresh })))
  const disabled = state === 'running'
  return (
    <>
      <ActionButton
        variant="filled"
        disabled={disabled}
        mutation={check}
        input={{ testMail: false }}
      >
        {state === 'never-run' ? 'Run it' : 'Run again'}
      </ActionButton>
      <ActionButton disabled={disabled} mutation={testMail} input={{ testMail: true }}>
        Send me a test mail
      </ActionButton>
    </>
  )
}

function Findings({ findings }: Pick<CheckUpState, 'findings'>) {
  const { wrong = [], look = [], unknown = [], ok = [] } = byState(findings)
  const rows = [...wrong, ...look, ...unknown].map((finding): RowProps => ({
    id: finding.id,
    mark: finding.state,
    words: <FindingInFull {...finding} />,
    axis: finding.state,
  }))
  return (
    <>
      <Section heading="To look at" rows={rows} />
      {ok.length > 0 && (
        <Section heading="Right">
          <Disclosure words={counted(ok.length, 'finding')}>
            <Rows rows={ok.map(({ id, what }) => ({ id, mark: 'ok', words: what }))} />
          </Disclosure>
        </Section>
      )}
    </>
  )
}

function byState(findings: readonly Finding[]) {
  return Object.groupBy(findings, ({ state }) => state)
}

const marks = { queued: 'look', delivered: 'ok', failed: 'wrong' } as const

function Webhooks({ events }: { events: NonNullable<CheckUpState['webhooks']> }) {
  if (events.length === 0) return <Section heading="Webhooks" note="No event has happened yet." />
  return (
    <Section
      heading="Webhooks"
      note="The last events for WEBHOOK_URL, and their answers."
      rows={events.map(({ type, subscriber, state, occurred_at: at, answer }) => ({
        mark: marks[state],
        words: `${type}, person ${subscriber}`,
        note: answer ?? 'not sent yet',
        axis: formatMoment(at),
      }))}
    />
  )
}

/** `troubles`: open now, which no finding tells. */
function headingFor({ state, findings }: CheckUpState, troubles: number): string {
  if (state === 'never-run') return 'Not checked yet.'
  if (state === 'running') return 'Checking.'
  if (state === 'broken-off') return 'The check-up did not finish.'
  const { wrong = [] } = byState(findings)
  const count = wrong.length + troubles
  if (count === 0) return 'Nothing is wrong.'
  return count === 1 ? 'One thing is wrong.' : `${count} things are wrong.`
}

function sentenceFor({ state, startedAt, finishedAt, findings }: CheckUpState): string {
  if (state === 'never-run') {
    return 'It looks at settings, texts, database, site, links and mail. It takes a few seconds, and no visitor waits for it.'
  }
  const { look = [], unknown = [], ok = [] } = byState(findings)
  const counts = `${look.length} worth a look, ${unknown.length} not known, ${ok.length} right.`
  if (startedAt === null || finishedAt === null) return counts
  const seconds = ((finishedAt - startedAt) / 1000).toFixed(1)
  return `${counts} Run at ${formatDayAndTime(startedAt)}, in ${seconds} seconds.`
}

function FindingInFull({ what, why, advice, record }: Finding) {
  return (
    <>
      <strong>{what}</strong>
      <p>
        <SoftWord>Why</SoftWord> {why}
      </p>
      {advice !== undefined && (
        <p>
          <SoftWord>Do</SoftWord> {advice}
        </p>
      )}
      {record && (
        <Rows
          rows={Object.entries(record).map(([part, text]) => ({
            words: <code>{text}</code>,
            note: part,
            actions: <Copy text={text} label={`Copy: ${part}`} />,
          }))}
        />
      )}
    </>
  )
}
