import { elementOf } from './page-elements.ts'

type Place = 'copied' | 'downloaded'

/**
 * Shows the line that asks for consent, where the visitor has just had something of value. The
 * server says if it may be asked: nobody is asked twice, and nobody who chose already.
 */
export async function askForNews(place: Place, below: Element): Promise<void> {
  const form = elementOf('ask-for-news', HTMLFormElement)
  if (!form.hidden || !(await mayAsk(place))) return
  placeField(form).value = place
  below.after(form)
  form.hidden = false
}

function placeField(form: HTMLFormElement): HTMLInputElement {
  const field = form.elements.namedItem('place')
  if (field instanceof HTMLInputElement) return field
  throw new Error('The form has no field for the place')
}

/** False also if the server cannot be reached: asking can wait. */
async function mayAsk(place: Place): Promise<boolean> {
  try {
    const answer = await fetch(`${location.pathname}/ask`, {
      method: 'POST',
      body: new URLSearchParams({ place }),
    })
    return answer.ok && (await answer.json()).mayAsk === true
  } catch {
    return false
  }
}
