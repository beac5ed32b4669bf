import type { ReactNode } from 'react'
import { kit } from '#content/kit.ts'
import { whatsIncluded } from '#content/pages/landing-page.ts'
import { GuideMiniature } from './guide-miniature.tsx'
import { AlertMessages, CodePreview } from './previews.tsx'

export function WhatsIncluded() {
  const { heading, script, guide, alerts } = whatsIncluded
  return (
    <>
      <h2 id="whats-included">{heading}</h2>
      <ul className="cards">
        <Card plate={script.plate} heading={script.heading} text={script.text}>
          <CodePreview />
        </Card>
        <Card plate={guide.plate} heading={guide.heading} text={guide.text}>
          {!kit.guide.isYourOwn && <GuideMiniature />}
        </Card>
        <Card
          plate={alerts.plate}
          heading={
            <>
              <span className="line">{alerts.heading[0]}</span> {alerts.heading[1]}
            </>
          }
          text={alerts.text}
        >
          <AlertMessages />
        </Card>
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
