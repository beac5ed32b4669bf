import { Fragment } from 'react'
import { whatsIncluded } from '#content/landing-page.ts'
import { alertExamples } from '#starter-kit/page-figures.ts'

/** What the alert posts at entry 2 and exit 2 of the chart. */
export function AlertMessages() {
  const { entry, exit } = whatsIncluded.alerts
  return (
    <>
      <Message mark="up" name={entry} json={alertExamples.entry.json} />
      <Message mark="down" name={exit} json={alertExamples.exit.json} />
    </>
  )
}

function Message({ mark, name, json }: { mark: 'up' | 'down'; name: string; json: string }) {
  return (
    <>
      <p className="message-name">
        <span className={mark} aria-hidden="true">
          {mark === 'up' ? '▲' : '▼'}
        </span>{' '}
        {name}
      </p>
      <pre className="message">
        <code>{json.split('\n').map(lineOfJson)}</code>
      </pre>
    </>
  )
}

/** The value in bold; no line of a message stands in it twice. */
function lineOfJson(line: string) {
  const [, key = line, value, comma] = /^(.*: )(.*?)(,?)$/.exec(line) ?? []
  return (
    <Fragment key={line}>
      {key}
      {value && <b>{value}</b>}
      {comma}
      {'\n'}
    </Fragment>
  )
}
