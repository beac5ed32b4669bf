import { useState } from 'react'
import { deskText } from '#content/desk.ts'
import type { CheckUp as Checked } from '../../contract.ts'
import { call, refresh, useDesk } from '../api.ts'
import { timeOf } from '../format.ts'
import { useToast } from '../frame.tsx'
import { AxisRow, Button, Disclosure, LoadFault, Section, View } from '../parts.tsx'

const words = deskText.checkUp
type Finding = Checked['sections'][number]['findings'][number]
const states = ['wrong', 'look', 'unknown'] as const

/** Shows findings that need the owner in full, and folds the others. */
export function CheckUp() {
  const [isRunning, setRunning] = useState(false)
  const query = useDesk('GET check-up', {}, { everyMs: isRunning ? 700 : 60_000 })
  const show = useToast()
  const checkUp = query.data
  const runs = checkUp?.state === 'running'
  if (runs !== isRunning && checkUp) setRunning(runs)
  const findings = checkUp?.sections.flatMap((section) => section.findings) ?? []
  const start = (testMail: boolean) =>
    call('POST check-up/start', { testMail }).then(refresh, (fault: Error) => show({ words: fault.message }))
  return (
    <View
      heading={checkUp ? headingFor(checkUp, findings) : '–'}
      sentence={checkUp && sentenceFor(checkUp, findings)}
      actions={
        <>
          <Button kind="main" busy={runs} onPress={() => start(false)}>
            {checkUp?.state === 'never-run' ? words.run : words.again}
          </Button>
          <Button disabled={runs} onPress={() => start(true)}>
            {words.testMail}
          </Button>
        </>
      }
    >
      <LoadFault of={query} />
      <ul className={runs ? 'rows rows-axis findings old' : 'rows rows-axis findings'}>
        {states.flatMap((state) =>
          findings
            .filter((finding) => finding.state === state)
            .map((finding) => <Wrong key={`${finding.id} ${finding.what}`} finding={finding} />),
        )}
      </ul>
      {checkUp && findings.some(({ state }) => state === 'ok') && <Right sections={checkUp.sections} />}
      <p className="foot soft">{words.never}</p>
    </View>
  )
}

function countOf(findings: readonly Finding[], state: Finding['state']): number {
  return findings.filter((finding) => finding.state === state).length
}

function headingFor({ state }: Checked, findings: readonly Finding[]): string {
  const wrong = countOf(findings, 'wrong')
  switch (state) {
    case 'never-run':
      return words.neverRun
    case 'running':
      return words.running
    case 'broken-off':
      return words.brokenOff
    case 'done':
      return wrong === 0 ? words.right : words.wrong(wrong)
  }
}

function sentenceFor({ state, startedAt, finishedAt }: Checked, findings: readonly Finding[]): string {
  if (state === 'never-run') return words.neverText
  const counts = words.counts(
    countOf(findings, 'look'),
    countOf(findings, 'unknown'),
    countOf(findings, 'ok'),
  )
  if (startedAt === null || finishedAt === null) return counts
  return `${counts} ${words.ranAt(timeOf(startedAt), ((finishedAt - startedAt) / 1000).toFixed(1))}`
}

function Wrong({ finding }: { finding: Finding }) {
  const { state, what, why, advice, record } = finding
  return (
    <AxisRow mark={state} axis={words.states[state]}>
      <div className="finding-row">
        <div>
          <strong className="finding">{what}</strong>
          <dl className="why">
            <dt>{words.why}</dt>
            <dd>{why}</dd>
            {advice !== undefined && (
              <>
                <dt>{words.do}</dt>
                <dd>{advice}</dd>
              </>
            )}
          </dl>
        </div>
        {record && <DnsRecord record={record} />}
      </div>
    </AxisRow>
  )
}

function DnsRecord({ record }: { record: NonNullable<Finding['record']> }) {
  const show = useToast()
  const copy = (text: string) => navigator.clipboard.writeText(text).then(() => show({ words: words.copied }))
  return (
    <dl className="dns">
      {(['name', 'type', 'value'] as const).map((part) => (
        <div key={part}>
          <dt className="note">{words.record[part]}</dt>
          <dd className="note">{record[part]}</dd>
          <dd>
            <Button
              kind="link"
              label={`${words.copy}: ${words.record[part]}`}
              onPress={() => copy(record[part])}
            >
              {words.copy}
            </Button>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Right({ sections }: { sections: Checked['sections'] }) {
  return (
    <Section heading={words.rightHeading}>
      <ul className="rows rows-axis">
        {sections
          .map(({ name, findings }) => ({ name, right: findings.filter(({ state }) => state === 'ok') }))
          .filter(({ right }) => right.length > 0)
          .map(({ name, right }) => (
            <AxisRow key={name} mark="ok" axis={words.count(right.length)}>
              <Disclosure words={name}>
                {right.map(({ what }) => (
                  <p className="soft" key={what}>
                    {what}
                  </p>
                ))}
              </Disclosure>
            </AxisRow>
          ))}
      </ul>
    </Section>
  )
}
