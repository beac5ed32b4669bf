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
