import { Fragment, type ReactNode } from 'react'
import type { AlertMessage } from '#content/kit.ts'
import type { SampleRun } from '#site/chart/sample-run.ts'
import { bridgesInWords } from '#site/kit/bridges/bridges.ts'
import { alertExamples, codePreview, type CodeLine, lineCount } from '#site/kit/page-figures.ts'
import { fill } from '#site/text/fill.ts'
import { useContent } from '#site/text/use-content.ts'
import { CodeTokens } from '#site/pages/frame/code-tokens.tsx'
import { Mark } from '#site/pages/frame/frame.tsx'
import { usePictures } from '#site/pages/frame/page-pictures.ts'
import './whats-included.css'

/** `script`: the text of the script that is given away. */
export function WhatsIncluded({ script: source }: { script: string }) {
  const { fileNames, kit, landingPage, ourRun } = useContent()
  const { heading, script, guide, alerts } = landingPage.whatsIncluded
  const lines = String(lineCount(source))
  const showsAlerts = ourRun !== undefined || kit.messages.length > 0
  return (
    <>
      <h2 id="whats-included">{heading}</h2>
      <ul className={showsAlerts ? 'cards ruled' : 'cards ruled pair'}>
        <Card
          name="script-card"
          heading={script.heading}
          text={fill(script.text, { lines })}
          plateLeft={fileNames.script}
          plateRight={script.plate}
        >
          <CodePreview script={source} />
        </Card>
        <Card
          heading={guide.heading}
          text={guide.text}
          plateLeft={fileNames.guide}
          plateRight={guide.plate}
        >
          <GuidePicture />
        </Card>
        {showsAlerts && (
          <Card
            name="alerts-card"
            heading={
              <>
                <span className="line">{alerts.heading[0]}</span> {alerts.heading[1]}
              </>
            }
            text={alerts.text}
            plateLeft={alerts.address}
            plateRight={alerts.plate}
          >
            <AlertMessages />
          </Card>
        )}
      </ul>
    </>
  )
}

interface CardProps {
  /** A place of its own beside the others. */
  name?: 'script-card' | 'alerts-card'
  heading: ReactNode
  text: string
  /** The file, or where the messages go. */
  plateLeft: string
  /** The format. */
  plateRight: string
  /** The artefact itself; false if there is nothing to show. */
  children: ReactNode
}

/** First what it is, in words; then the thing itself. */
function Card({ name, heading, text, plateLeft, plateRight, children }: CardProps) {
  return (
    <li className={name ? `card ${name}` : 'card'}>
      <div className="card-words">
        <h3>{heading}</h3>
        <p>{text}</p>
      </div>
      <p className="plate mono" translate="no">
        <span>{plateLeft}</span> <span>{plateRight}</span>
      </p>
      {children && <div className="artefact">{children}</div>}
    </li>
  )
}

/** An excerpt of the shipped file with its own line numbers. */
function CodePreview({ script }: { script: string }) {
  const { whatsIncluded } = useContent().landingPage
  const lines = codePreview(script)
  const first = lines[0]?.number ?? 1
  const last = lines.at(-1)?.number ?? first
  const name = fill(whatsIncluded.script.codeName, { first: String(first), last: String(last) })
  return (
    <section aria-label={name}>
      <pre className="code" translate="no">
        <code>{lines.map(numberedLine)}</code>
      </pre>
    </section>
  )
}

function numberedLine({ number, tokens }: CodeLine) {
  return (
    <span className="code-line" key={number} data-number={number}>
      <CodeTokens tokens={tokens} />
      {'\n'}
    </span>
  )
}

/** A page of the guide that is given away, as wide as a card. */
function GuidePicture() {
  const { landingPage, note } = useContent()
  const { guide } = landingPage.whatsIncluded
  const { guidePage } = usePictures()
  if (!guidePage) return undefined
  const { url, width, height } = guidePage
  const shownHeight = Math.round((210 * height) / width)
  return (
    <a className="guide-picture" href={url} target="_blank" rel="noopener noreferrer">
      <img src={url} alt={guide.pictureName} width="210" height={shownHeight} loading="lazy" />
      {guide.enlarge}
      <span className="unseen"> {note.opensNewTab}</span>
    </a>
  )
}

/** The messages of trade 2 of the chart, or the owner's examples for a script of their own. */
function AlertMessages() {
  const { kit, ourRun } = useContent()
  return ourRun ? <OurMessages run={ourRun} /> : kit.messages.map(alertMessage)
}

function OurMessages({ run }: { run: SampleRun }) {
  const { entry, exit, services } = useContent().landingPage.whatsIncluded.alerts
  const examples = alertExamples(run)
  return (
    <>
      {alertMessage({
        mark: 'up',
        name: fill(entry, { fill: examples.entry.price }),
        text: examples.entry.json,
      })}
      {alertMessage({
        mark: 'down',
        name: fill(exit, { fill: examples.exit.price }),
        text: examples.exit.json,
      })}
      <p className="message-name soft">{fill(services, { bridges: bridgesInWords })}</p>
    </>
  )
}

function alertMessage({ mark, name, text }: AlertMessage) {
  return (
    <Fragment key={name}>
      <p className="message-name soft">
        <Mark kind={mark} /> {name}
      </p>
      <pre className="message" translate="no">
        <code>{text.split('\n').map(lineOfJson)}</code>
      </pre>
    </Fragment>
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
