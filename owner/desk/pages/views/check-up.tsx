import { CopyButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ActButton } from '../acts.tsx'
import { type Answers, api, trpc } from '../api.ts'
import { number, timeOf } from '../format.ts'
import { Disclosure, LinkButton, pending, Rows, Section, View } from '../parts.tsx'

type CheckUpState = Answers['checkUp']['show']
type Finding = CheckUpState['sections'][number]['findings'][number]

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
  const findings = checkUp?.sections.flatMap((section) => section.findings) ?? []
  const inState = (state: Finding['state']) => findings.filter((finding) => finding.state === state)
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
      foot="The check-up runs beside the server, so no visitor waits for it."
    >
      <div className={isRunning ? 'findings soft' : 'findings'}>
        <Rows
          rows={[...inState('wrong'), ...inState('look'), ...inState('unknown')].map((finding) => ({
            id: `${finding.id} ${finding.what}`,
            mark: finding.state,
            words: <FindingInFull {...finding} />,
            axis: finding.state,
          }))}
        />
      </div>
      {checkUp && inState('ok').length > 0 && <Right sections={checkUp.sections} />}
    </View>
  )
}

function headingFor(state: CheckUpState['state'], wrong: number): string {
  if (state !== 'done') return headings[state]
  if (wrong === 0) return 'Nothing is wrong.'
  return wrong === 1 ? 'One thing is wrong.' : `${wrong} things are wrong.`
}

function sentenceFor({ state, startedAt, finishedAt }: CheckUpState, counts: string): string {
  if (state === 'never-run')
    return 'It looks at settings, texts, database, site, links and mail. It takes some seconds.'
  if (startedAt === null || finishedAt === null) return counts
  return `${counts} Run at ${timeOf(startedAt)}, in ${((finishedAt - startedAt) / 1000).toFixed(1)} seconds.`
}

function FindingInFull({ what, why, advice, record }: Finding) {
  return (
    <div className="finding-row">
      <div>
        <strong>{what}</strong>
        <dl className="why">
          <dt>Why</dt>
          <dd>{why}</dd>
          {advice !== undefined && (
            <>
              <dt>Do</dt>
              <dd>{advice}</dd>
            </>
          )}
        </dl>
      </div>
      {record && <DnsRecord record={record} />}
    </div>
  )
}

function DnsRecord({ record: { name, type, value } }: { record: NonNullable<Finding['record']> }) {
  return (
    <dl className="dns">
      {Object.entries({ Name: name, Type: type, Value: value }).map(([part, text]) => (
        <div key={part}>
          <dt className="note">{part}</dt>
          <dd className="note">{text}</dd>
          <dd>
            <CopyButton value={text}>
              {({ copied, copy }) => (
                <LinkButton onClick={copy} aria-label={`Copy: ${part}`}>
                  {copied ? 'Copied' : 'Copy'}
                </LinkButton>
              )}
            </CopyButton>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Right({ sections }: Pick<CheckUpState, 'sections'>) {
  const rows = sections.map(({ name, findings }) => {
    const right = findings.filter(({ state }) => state === 'ok')
    const list = right.map(({ what }) => (
      <p className="soft" key={what}>
        {what}
      </p>
    ))
    return {
      count: right.length,
      mark: 'ok' as const,
      words: <Disclosure words={name}>{list}</Disclosure>,
      axis: `${number(right.length)} ok`,
    }
  })
  return <Section heading="Right" rows={rows.filter(({ count }) => count > 0)} />
}
