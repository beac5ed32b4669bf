import type { ShowToast } from '../../ui/toaster.tsx'
import type { LengthWords } from '../../landing-page/try-lengths/try-lengths.tsx'

interface LengthOffer {
  /** The words, if the chart is that of our script. */
  readonly words: LengthWords | undefined
  readonly unreachable: { readonly title: string; readonly description: string }
  readonly showToast: ShowToast
}

/** Shows the button under the chart, if there is one. What it does is fetched when it is pressed. */
export function offerLengths({ words, unreachable, showToast }: LengthOffer): void {
  const place = document.getElementById('lengths')
  const button = place?.querySelector('button')
  if (!place || !button || !words) return
  place.style.visibility = 'visible'
  button.addEventListener('click', () => {
    import('./try-lengths.ts').then(
      ({ tryLengths }) => tryLengths(place, words),
      () => showToast({ tone: 'error', ...unreachable }, button),
    )
  })
}
