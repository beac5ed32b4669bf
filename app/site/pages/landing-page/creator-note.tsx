import { alertExamples } from '#site/kit/page-figures.ts'
import { useContent } from '#site/text/use-content.ts'
import { Mark } from '../frame/frame.tsx'
import './creator-note.css'

export function CreatorNote() {
  const { brand, kit, landingPage } = useContent()
  const { heading, paragraphs, bought, closed, aside } = landingPage.creatorNote
  const { entry, exit } = alertExamples()
  return (
    <>
      <h2 id="creator-note">{heading}</h2>
      <div className="letter">
        {paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        <p className="signature">{brand.creatorName}</p>
      </div>
      {!kit.script.isYourOwn && (
        <div className="aside">
          <p className="mono">
            <Mark kind="up" />
            <span className="unseen">{bought}</span> {entry.price}
          </p>
          <p className="mono">
            <Mark kind="down" />
            <span className="unseen">{closed}</span> {exit.price}
          </p>
          <p>{aside}</p>
        </div>
      )}
    </>
  )
}
