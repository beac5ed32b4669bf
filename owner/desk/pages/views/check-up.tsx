import { CopyButton } from '@mantine/core'
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
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? 700 : 60_000),
  })
  const checkUp = query.data
  const isRunning = checkUp?.state === 'running'
  const inState = (state: Finding['state']) =>
    checkUp?.findings.filter((finding) => finding.state === state) ?? []
  const toShow = [...inState('wrong'), ...inState('look'), ...inState('unknown')]
  const counts = `${inState('look').length} worth a look, ${inState('unknown').length} not known, ${inState('ok').length} right.`
  return (
    <View
      heading={checkUp ? headingFor(checkUp.state, inState('wrong').length) : pending}
      sentence={checkUp && sentenceFor(checkUp, counts)}
      actions={
        <>
          <ActButton
            variant="filled"
            disabled={isRunning}
            act={() => api.checkUp.start.mutate({ testMail: false })}
          >
            {checkUp?.state === 'never-run' ? 'Run it' : 'Run again'}
          </ActButton>
          <ActButton disabled={isRunning} act={() => api.checkUp.start.mutate({ testMail: true })}>
            Send me a test mail
          </ActButton>
        </>
      }
      query={query}
    >
      {toShow.length > 0 && (
        <section>
          <Rows
            rows={toShow.map((finding) => ({
              id: `${finding.id} ${finding.what}`,
              mark: finding.state,
              words: <FindingInFull {...finding} />,
              axis: finding.state,
            }))}
          />
        </section>
      )}
      {inState('ok').length > 0 && (
        <Section heading="Right">
          <Disclosure words={counted(inState('ok').length, 'finding')}>
            <Rows rows={inState('ok').map(({ what }) => ({ id: what, mark: 'ok', words: what }))} />
          </Disclosure>
        </Section>
      )}
      <Webhooks />
    </View>
  )
}

function Webhooks() {
  const { data: events } = useQuery(trpc.checkUp.webhooks.queryOptions())
  if (!events) return null
  return (
    <Section
      heading="Webhooks"
      note={
        events.length === 0
          ? 'No event has happened yet.'
          : 'The last events for WEBHOOK_URL, and their answers.'
      }
      rows={events.map(({ id, type, subscriber, state, occurred_at: at, answer }) => ({
        id,
        mark: state === 'failed' ? 'wrong' : state === 'delivered' ? 'ok' : 'look',
        words: `${type}, person ${subscriber}`,
        note: answer ?? 'not sent yet',
        axis: momentOf(at),
      }))}
    />
  )
}

function headingFor(state: CheckUpState['state'], wrong: number): string {
  if (state !== 'done') return headings[state]
  if (wrong === 0) return 'Nothing is wrong.'
  return wrong === 1 ? 'One thing is wrong.' : `${wrong} things are wrong.`
}

function sentenceFor({ state, startedAt, finishedAt }: CheckUpState, counts: string): string {
  if (state === 'never-run')
    return 'It looks at settings, texts, database, site, links and mail. It takes some seconds, and no visitor waits for it.'
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
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <LinkButton onClick={copy} aria-label={label}>
          {copied ? 'Copied' : 'Copy'}
        </LinkButton>
      )}
    </CopyButton>
  )
}
