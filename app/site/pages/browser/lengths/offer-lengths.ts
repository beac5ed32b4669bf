import type { ShowToast } from '../../ui/toaster.tsx'
import type { LengthWords } from '../../landing-page/try-lengths/try-lengths.tsx'

interface LengthOffer {
  /** The address of the LengthWords, as JSON. Undefined: there is no chart of our script. */
  readonly wordsUrl: string | undefined
  readonly unreachable: { readonly title: string; readonly description: string }
  readonly showToast: ShowToast
}

/**
 * Shows the button under the chart, if there is one. What it does, and the words for it, are
 * fetched when it is pressed.
 */
export function offerLengths({ wordsUrl, unreachable, showToast }: LengthOffer): void {
  const place = document.getElementById('lengths')
  const button = place?.querySelector('button')
  if (!place || !button || wordsUrl === undefined) return
  place.style.visibility = 'visible'
  button.addEventListener('click', () => {
    Promise.all([import('./try-lengths.ts'), fetchWords(wordsUrl)]).then(
      ([{ tryLengths }, words]) => tryLengths(place, words),
      () => showToast({ tone: 'error', ...unreachable }, button),
    )
  })
}

async function fetchWords(url: string): Promise<LengthWords> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url} answers with status ${answer.status}`)
  return answer.json() // as the build wrote them
}
