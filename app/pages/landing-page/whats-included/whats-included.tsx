import { Fragment, type ReactNode } from 'react'
import { alertExamples, codePreview } from '#kit/page-figures.ts'
import { useContent } from '#text/use-content.ts'
import { CodeTokens } from '../../frame/code-tokens.tsx'
import { Mark } from '../../frame/frame.tsx'
import { GuideMiniature } from './guide-miniature.tsx'

/** `script`: the text of the script that is given away. */
export function WhatsIncluded({ script: source }: { script: string }) {
  const { kit, landingPage } = useContent()
  const { heading, script, guide, alerts } = landingPage.whatsIncluded
  const showsAlerts = !kit.script.isYourOwn || alerts.yourMessages.length > 0
  return (
    <>
      <h2 id="whats-included">{heading}</h2>
      <ul className="cards ruled">
        <Card plate={[kit.script.name, script.plate]} heading={script.heading} text={script.text}>
          <CodePreview script={source} />
        </Card>
        <Card plate={[kit.guide.name, guide.plate]} heading={guide.heading} text={guide.text}>
          {!kit.guide.isYourOwn && <GuideMiniature />}
        </Card>
        {showsAlerts && (
          <Card
            plate={[alerts.address, alerts.plate]}
            heading={
              <>
                <span className="line">{alerts.heading[0]}</span> {alerts.heading[1]}
              </>
            }
            text={alerts.text}
          >
            <AlertMessages />
          </Card>
        )}
      </ul>
    </>
  )
}

interface CardProps {
  /** File and format. */
  plate: readonly [string, string]
  heading: ReactNode
  text: string
  /** The artefact itself; false if there is nothing to show. */
  children: ReactNode
}

function Card({ plate: [name, format], heading, text, children }: CardProps) {
  return (
    <li className="card">
      <p className="plate">
        <span>{name}</span> <span>{format}</span>
      </p>
      {children && <div className="artefact">{children}</div>}
      <h3>{heading}</h3>
      <p>{text}</p>
    </li>
  )
}

/** An excerpt of the shipped file with its own line numbers. */
function CodePreview({ script }: { script: string }) {
  const { whatsIncluded } = useContent().landingPage
  const lines = codePreview(script)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls where it is narrow: keys must reach it
    <section className="code" tabIndex={0} aria-label={whatsIncluded.script.codeName}>
      <pre className="line-numbers" aria-hidden="true">
        {lines.map((line) => line.number).join('\n')}
      </pre>
      <pre>
        <code>
          {lines.map((line) => (
            <Fragment key={line.number}>
              <CodeTokens tokens={line.tokens} />
              {'\n'}
            </Fragment>
          ))}
        </code>
      </pre>
    </section>
  )
}

/**
 * The messages of entry 2 and exit 2 of the chart, or the owner's examples for a script of their
 * own.
 */
function AlertMessages() {
  const { kit, landingPage } = useContent()
  const { entry, exit, yourMessages } = landingPage.whatsIncluded.alerts
  const examples = alertExamples()
  const ourMessages = [
    { mark: 'up', name: entry, text: examples.entry.json },
    { mark: 'down', name: exit, text: examples.exit.json },
  ] as const
  return (kit.script.isYourOwn ? yourMessages : ourMessages).map(({ mark, name, text }) => (
    <Fragment key={name}>
      <p className="message-name soft">
        <Mark kind={mark} /> {name}
      </p>
      <pre className="message">
        <code>{text.split('\n').map(lineOfJson)}</code>
      </pre>
    </Fragment>
  ))
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
