import type { SampleRun } from '#site/chart/sample-run.ts'
import { alertExamples } from '#site/kit/page-figures.ts'
import { useContent } from '#site/text/use-content.ts'
import { Mark } from '../frame/frame.tsx'
import { usePictures } from '../frame/page-pictures.ts'
import './creator-note.css'

export function CreatorNote() {
  const { brand, landingPage, ourRun } = useContent()
  const { heading, paragraphs } = landingPage.creatorNote
  const { chart } = usePictures()
  return (
    <>
      <h2 id="creator-note">{heading}</h2>
      <div className="letter">
        {paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        <p className="signature">{brand.creatorName}</p>
        <Person />
      </div>
      {ourRun && !chart && <LosingTrade run={ourRun} />}
    </>
  )
}

/** The person who signs, as far as the owner tells. */
function Person() {
  const { brand, landingPage } = useContent()
  const { sentence, linkText, linkUrl } = landingPage.creatorNote.person
  const { portrait } = usePictures()
  if (!portrait && !sentence && !linkUrl) return undefined
  return (
    <div className="person">
      {portrait && (
        <img
          src={portrait.url}
          alt={brand.creatorName}
          width="96"
          height={Math.round((96 * portrait.height) / portrait.width)}
          loading="lazy"
        />
      )}
      <div>
        {sentence && <p>{sentence}</p>}
        {linkUrl && (
          <p>
            <a href={linkUrl}>{linkText || new URL(linkUrl).host}</a>
          </p>
        )}
      </div>
    </div>
  )
}

/** A losing trade of the chart at the top of the page. */
function LosingTrade({ run }: { run: SampleRun }) {
  const { bought, closed, aside } = useContent().landingPage.creatorNote
  const { entry, exit } = alertExamples(run)
  return (
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
  )
}
