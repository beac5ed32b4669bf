import { lineAcross } from '#kit/chart.ts'
import { sampleRun } from '#kit/sample-run.ts'
import { useContent } from '#text/use-content.ts'

const box = { width: 192, height: 100 }
const bars = { first: 71, last: 119, step: 3 }
const minutes = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

/**
 * A page of the guide that runs under the line, at the size of a picture: one image to a screen
 * reader.
 */
export function GuideMiniature() {
  const { kit, landingPage, setupGuide } = useContent()
  const { whatsIncluded } = landingPage
  // The third, or the last of fewer.
  const shownStep = Math.min(2, setupGuide.steps.length - 1)
  const step = setupGuide.steps[shownStep]
  if (!step) throw new Error('The guide has no step for the picture')
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is drawn with text, in the page's own face
    <div className="miniature" role="img" aria-label={whatsIncluded.guide.pictureName}>
      <div className="miniature-page" aria-hidden="true">
        <p className="miniature-title">
          {shownStep + 1} {step.title}
        </p>
        <p>{step.intro}</p>
        {!kit.script.isYourOwn && (
          <svg viewBox={`0 0 ${box.width} ${box.height}`} preserveAspectRatio="none">
            <path className="slow-line" d={averageLine('slow')} />
            <path className="fast-line" d={averageLine('fast')} />
          </svg>
        )}
        <p>
          {setupGuide.nothingThere} {step.help}
        </p>
      </div>
      <div className="miniature-axis" aria-hidden="true">
        {minutes.map((minute) => (
          <span key={minute} className={minute === step.minute ? 'now' : undefined}>
            {minute === 0 || minute === step.minute
              ? `${minute} ${whatsIncluded.guide.minute}`
              : minute}
          </span>
        ))}
      </div>
    </div>
  )
}

/** One average of the chart's last bars, coarse enough for a picture of a page. */
function averageLine(average: 'fast' | 'slow'): string {
  const { [average]: averages } = sampleRun
  const shown = averages.slice(bars.first, bars.last + 1).filter((_, bar) => bar % bars.step === 0)
  return lineAcross(shown, { ...box, top: 114.6, bottom: 103 })
}
