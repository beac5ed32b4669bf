import { useMutation, useQuery } from '@tanstack/react-query'
import {
  type Condition,
  type RouterOutputs,
  type TodayState,
  useTRPC,
} from '#owner/desk/views/api/trpc.ts'
import { counted, formatDayAndTime, formatMoment } from '#owner/desk/views/format/format.ts'
import { hrefOf } from '#owner/desk/views/navigation/location.ts'
import { ActionButton } from '#owner/desk/views/parts/actions/action-button.tsx'
import { Copy } from '#owner/desk/views/parts/actions/copy.tsx'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { Disclosure } from '#owner/desk/views/parts/disclosure.tsx'
import { LoadingRows, type RowProps, Rows } from '#owner/desk/views/parts/outline/rows.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { View } from '#owner/desk/views/parts/outline/view.tsx'
import { SoftWord } from '#owner/desk/views/parts/text.tsx'
import { explainNetworkFault } from '#owner/acts/network-faults.ts'
import { PasteHeaders } from './paste-headers.tsx'
import { marks, severityWords } from './severity-words.ts'

const runningMs = 700

/** Shows every condition: what needs the owner in full, and folded what does not. */
export function CheckUp() {
  const trpc = useTRPC()
  const query = useQuery({
    ...trpc.today.state.queryOptions(),
    refetchInterval: ({ state }) => state.data?.checkUp.state === 'running' && runningMs,
  })
  const { data } = query
  return (
    <View
      heading={data && headingFor(data)}
      note={data && sentenceFor(data)}
      actions={data && <Run state={data.checkUp.state} />}
      query={query}
    >
      {query.isPending && <LoadingRows />}
      {data && <Conditions conditions={data.conditions} />}
      <Webhooks />
    </View>
  )
}

function Run({ state }: Pick<TodayState['checkUp'], 'state'>) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const refresh = [trpc.today.state.queryFilter()]
  const start = trpc.conditions.startCheckUp.mutationOptions(followUp({ refresh }))
  const check = useMutation(start)
  const testMail = useMutation(start)
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

function Conditions({ conditions }: Pick<TodayState, 'conditions'>) {
  const bySeverity = Object.groupBy(conditions, ({ severity }) => severity)
  const { blocks = [], error = [], warning = [], 'not-checked': notChecked = [] } = bySeverity
  const { fine = [] } = bySeverity
  return (
    <>
      <Section heading="Before you can open" rows={blocks.map(rowFor)} />
      <Section heading="Errors" rows={error.map(rowFor)} />
      <Section heading="Warnings" rows={warning.map(rowFor)} />
      <Section heading="Not checked" rows={notChecked.map(rowFor)} />
      <PasteHeaders />
      {fine.length > 0 && (
        <Section heading="Passed">
          <Disclosure words={`${fine.length} passed`}>
            <Rows rows={fine.map(({ id, what }) => ({ id, mark: 'ok', words: what }))} />
          </Disclosure>
        </Section>
      )}
    </>
  )
}

function rowFor(condition: Condition): RowProps {
  const { id, severity, place } = condition
  return {
    id,
    mark: marks[severity],
    words: <InFull {...condition} />,
    actions: place !== undefined && place !== 'check-up' && (
      <a href={hrefOf(place)}>Open {viewName(place)}</a>
    ),
    axis: severityWords[severity],
  }
}

const viewNames: Record<string, string> = {
  '': 'Today',
  address: 'Your address on the internet',
  letters: 'the letter',
  mail: 'Mail',
  'mail-service': 'Mail service',
  page: 'Page',
  ready: 'its form',
}

/** `place`: the path below /desk. */
function viewName(place: string): string {
  return viewNames[place.split(/[/#]/)[0]!] ?? 'it'
}

function InFull({ severity, what, why, advice, record, since }: Condition) {
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
      {since !== undefined && severity !== 'fine' && (
        <p>
          <SoftWord>Since</SoftWord> {formatDayAndTime(since)}
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

const eventMarks = { queued: 'look', delivered: 'ok', failed: 'wrong' } as const

type WebhookEvents = NonNullable<RouterOutputs['conditions']['webhookEvents']>

/** Shows nothing without a program that gets events. */
function Webhooks() {
  const trpc = useTRPC()
  const { data: events } = useQuery(trpc.conditions.webhookEvents.queryOptions())
  if (!events) return null
  if (events.length === 0) return <Section heading="Webhooks" note="No event has happened yet." />
  const rowOf = ({ type, subscriber, state, occurred_at: at, answer }: WebhookEvents[number]) => ({
    mark: eventMarks[state],
    words: `${type}, person ${subscriber}`,
    note: answer === null ? 'not sent yet' : (explainNetworkFault(answer) ?? answer),
    axis: formatMoment(at),
  })
  return (
    <Section
      heading="Webhooks"
      note="The last events for your other program, and its answers."
      rows={events.map(rowOf)}
    />
  )
}

function headingFor({ checkUp, conditions }: TodayState): string {
  const errors = conditions.filter(({ severity }) => severity === 'blocks' || severity === 'error')
  if (errors.length === 1) return 'One thing is wrong.'
  if (errors.length > 1) return `${errors.length} things are wrong.`
  if (checkUp.state === 'never-run') return 'Not checked yet.'
  return checkUp.state === 'running' ? 'Checking.' : 'Nothing is wrong.'
}

function sentenceFor({
  checkUp: { state, startedAt, finishedAt },
  conditions,
}: TodayState): string {
  const count = (severity: Condition['severity']) =>
    conditions.filter((one) => one.severity === severity).length
  const counts = `${counted(count('warning'), 'warning')}, ${count('not-checked')} not checked, ${count('fine')} passed.`
  if (state === 'never-run') {
    return `${counts} It looks at settings, texts, database, page, links and mail. It takes a few seconds, and no visitor waits for it.`
  }
  if (startedAt === null || finishedAt === null) return counts
  const seconds = ((finishedAt - startedAt) / 1000).toFixed(1)
  return `${counts} Run at ${formatDayAndTime(startedAt)}, in ${seconds} seconds.`
}
