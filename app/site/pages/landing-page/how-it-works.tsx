import { bridgesInWords } from '#site/kit/bridges/bridges.ts'
import { Filled } from '#site/text/filled.tsx'
import { useContent } from '#site/text/use-content.ts'
import './how-it-works.css'

export function HowItWorks() {
  const { heading, steps } = useContent().landingPage.howItWorks
  return (
    <>
      <h2 id="how-it-works">{heading}</h2>
      <div className="steps">
        {/* Time runs downwards; fast crosses slow beside the third step. */}
        <div className="crossing" aria-hidden="true">
          <svg viewBox="0 0 220 298" preserveAspectRatio="none">
            <path className="slow-line" d="M136 0c0 110-35 190-35 298" />
            <path className="fast-line" d="M40 0c0 180 40 230 163 298" />
          </svg>
          <svg className="crossing-mark" width="12" height="10">
            <path fill="var(--up)" d="m6 0 6 10H0z" />
          </svg>
        </div>
        <ol className="ruled">
          {steps.map((step) => (
            <li className="step" key={step.heading}>
              <h3>{step.heading}</h3>
              <p className="minute mono soft">{step.minute}</p>
              <p>{step.text}</p>
            </li>
          ))}
        </ol>
      </div>
      <Questions />
    </>
  )
}

function Questions() {
  const { howItWorks, legalLinks } = useContent().landingPage
  return (
    <div className="questions ruled">
      {howItWorks.questions.map(({ question, answer }) => (
        <details key={question}>
          <summary>{question}</summary>
          <p>
            <Filled text={answer} bridges={bridgesInWords} privacy={legalLinks.privacy} />
          </p>
        </details>
      ))}
    </div>
  )
}
