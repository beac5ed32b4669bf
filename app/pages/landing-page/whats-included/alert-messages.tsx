import { Fragment } from 'react'
import { kit } from '#content/kit.ts'
import { whatsIncluded } from '#content/landing-page.ts'
import { alertExamples } from '#kit/page-figures.ts'

/** What the alert posts at entry 2 and exit 2 of the chart; or what the owner says of a script of their own. */
export function AlertMessages() {
  const { entry, exit, yourMessages } = whatsIncluded.alerts
  if (kit.script.isYourOwn)
    return yourMessages.map(({ mark, name, text }) => (
      <Message key={name} mark={mark} name={name} json={text} />
    ))
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

/** The value in bold. */
function lineOfJson(line: string, index: number) {
  const [, key = line, value, comma] = /^(.*: )(.*?)(,?)$/.exec(line) ?? []
  return (
    <Fragment key={index}>
      {key}
      {value && <b>{value}</b>}
      {comma}
      {'\n'}
    </Fragment>
  )
}
