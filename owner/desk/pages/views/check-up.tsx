import { useClipboard } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { ActButton } from '../parts/acts.tsx'
import { type Answers, api, trpc } from '../api.ts'
import { counted, momentOf, timeOf } from '../format.ts'
import { Disclosure, LinkButton, pending, Rows, Section, View } from '../parts/parts.tsx'

type CheckUpState = Answers['checkUp']['show']
type Finding = CheckUpState['findings'][number]

const headings = {
  'never-run': 'Not checked yet.',
  running: 'Checking.',
  'broken-off': 'The check-up broke off.',
}

/** Shows findings that need the owner in full, and folds the others. */
export function CheckUp() {
  const query = useQuery({
    ...trpc.checkUp.show.queryOptions(),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? 700 : 10_000),
  })
  if (!query.data) return <View heading={pending} query={query} />
  const { state, findings, webhooks } = query.data
  const {
    wrong = [],
    look = [],
    unknown = [],
    ok = [],
  } = Object.groupBy(findings, (one) => one.state)
  const counts = `${look.length} worth a look, ${unknown.length} not known, ${ok.length} right.`
  const toShow = [...wrong, ...look, ...unknown]
  const run = (testMail: boolean) => {
    return { disabled: state === 'running', act: () => api.checkUp.start.mutate({ testMail }) }
  }
  return (
    <View
      heading={state === 'done' ? headingFor(wrong.length) : headings[state]}
      note={sentenceFor(query.data, counts)}
      actions={
        <>
          <ActButton
            words={state === 'never-run' ? 'Run it' : 'Run again'}
            variant="filled"
            {...run(false)}
          />
          <ActButton words="Send me a test mail" {...run(true)} />
        </>
      }
      query={query}
    >
      {toShow.length > 0 && (
        <section>
          <Rows
            rows={toShow.map((finding) => ({
              mark: finding.state,
              words: <FindingInFull {...finding} />,
              axis: finding.state,
            }))}
          />
        </section>
      )}
      {ok.length > 0 && (
        <Section heading="Right">
          <Disclosure words={counted(ok.length, 'finding')}>
            <Rows rows={ok.map(({ what }) => ({ mark: 'ok', words: what }))} />
          </Disclosure>
        </Section>
      )}
      {webhooks && <Webhooks events={webhooks} />}
    </View>
  )
}

function Webhooks({ events }: { events: NonNullable<CheckUpState['webhooks']> }) {
  if (events.length === 0) return <Section heading="Webhooks" note="No event has happened yet." />
  return (
    <Section
      heading="Webhooks"
      note="The last events for WEBHOOK_URL, and their answers."
      rows={events.map(({ type, subscriber, state, occurred_at: at, answer }) => ({
        mark: state === 'failed' ? 'wrong' : state === 'delivered' ? 'ok' : 'look',
        words: `${type}, person ${subscriber}`,
        note: answer ?? 'not sent yet',
        axis: momentOf(at),
      }))}
    />
  )
}

function headingFor(wrong: number): string {
  if (wrong === 0) return 'Nothing is wrong.'
  return wrong === 1 ? 'One thing is wrong.' : `${wrong} things are wrong.`
}

function sentenceFor({ state, startedAt, finishedAt }: CheckUpState, counts: string): string {
  if (state === 'never-run') {
    return 'It looks at settings, texts, database, site, links and mail. It takes some seconds, and no visitor waits for it.'
  }
  if (startedAt === null || finishedAt === null) return counts
  return `${counts} Run at ${timeOf(startedAt)}, in ${((finishedAt - startedAt) / 1000).toFixed(1)} seconds.`
}

function FindingInFull({ what, why, advice, record }: Finding) {
  return (
    <>
      <strong>{what}</strong>
      <p>
        <span className="soft">Why</span> {why}
      </p>
      {advice !== undefined && (
        <p>
          <span className="soft">Do</span> {advice}
        </p>
      )}
      {record && (
        <Rows
          rows={Object.entries(record).map(([part, text]) => ({
            words: <code>{text}</code>,
            note: part,
            acts: <Copy text={text} label={`Copy: ${part}`} />,
          }))}
        />
      )}
    </>
  )
}

export function Copy({ text, label }: { text: string; label?: string }) {
  const { copied, copy } = useClipboard({ timeout: 1_000 })
  return (
    <LinkButton onClick={() => copy(text)} aria-label={label}>
      {copied ? 'Copied' : 'Copy'}
    </LinkButton>
  )
}
