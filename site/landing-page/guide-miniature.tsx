import { landingPage } from '#content/landing-page.ts'
import { guidePage } from './figures.ts'

const minutes = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

/** A page of the guide that runs under the line, at the size of a picture: one image to a screen reader. */
export function GuideMiniature() {
  const { pictureName, minute: unit } = landingPage.whatsIncluded.guide
  const { number, title, intro, help, next, minute, fast, slow } = guidePage
  return (
    <div className="miniature" role="img" aria-label={pictureName}>
      <div className="miniature-page" aria-hidden="true">
        <p className="miniature-title">
          {number} {title}
        </p>
        <p>{intro}</p>
        <svg viewBox="0 0 189 100" preserveAspectRatio="none">
          <path className="slow-line" d={slow} />
          <path className="fast-line" d={fast} />
        </svg>
        <p>{help}</p>
        <p>{next}</p>
      </div>
      <div className="miniature-axis" aria-hidden="true">
        {minutes.map((each) => (
          <span key={each} className={each === minute ? 'now' : undefined}>
            {each === 0 || each === minute ? `${each} ${unit}` : each}
          </span>
        ))}
      </div>
    </div>
  )
}
