import { brand } from '#content/brand.ts'
import { kit } from '#content/kit.ts'
import { creatorNote } from '#content/pages/landing-page.ts'
import { alertExamples } from '#kit/page-figures.ts'

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
          <Price mark="up" says={bought} price={alertExamples.entry.price} />
          <Price mark="down" says={closed} price={alertExamples.exit.price} />
          <p>{aside}</p>
        </div>
      )}
    </>
  )
}

function Price({ mark, says, price }: { mark: 'up' | 'down'; says: string; price: string }) {
  return (
    <p className="mono">
      <span className={mark} aria-hidden="true">
        {mark === 'up' ? '▲' : '▼'}
      </span>
      <span className="unseen">{says}</span> {price}
    </p>
  )
}
