import { brand } from '#content/brand.ts'
import { kit } from '#content/kit.ts'
import { creatorNote } from '#content/pages/landing-page.ts'
import { alertExamples } from '#kit/page-figures.ts'
import { Mark } from '../frame/frame.tsx'

export function CreatorNote() {
  const { heading, paragraphs, bought, closed, aside } = creatorNote
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
            <span className="unseen">{bought}</span> {alertExamples.entry.price}
          </p>
          <p className="mono">
            <Mark kind="down" />
            <span className="unseen">{closed}</span> {alertExamples.exit.price}
          </p>
          <p>{aside}</p>
        </div>
      )}
    </>
  )
}
