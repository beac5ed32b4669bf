import { fill } from '#site/text/fill.ts'
import type { PersonalPageWords } from '../small-pages/personal-page/personal-page.tsx'
import { element, elementOf } from './page-elements.ts'

type Place = 'copied' | 'downloaded'

const questionForm = () => elementOf('ask-for-news', HTMLFormElement)

/**
 * Shows the line that asks for consent, where the visitor has just had something of value. The
 * server says if it may be asked: nobody is asked twice, and nobody who chose already.
 */
export async function askForNews(place: Place, below: Element): Promise<void> {
  const form = questionForm()
  if (!form.hidden || !(await mayAsk(place))) return
  placeField(form).value = place
  below.after(form)
  form.hidden = false
  form.scrollIntoView({ block: 'nearest' })
}

/** Without it the answer is the page at the switch, far from what the visitor was doing. */
export function answerInPlace(words: PersonalPageWords['news']): void {
  const form = questionForm()
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const since = await agree(form)
    if (since === undefined) return form.submit()
    const answer = form.querySelector('output')!
    answer.textContent = words.agreed
    form.replaceChildren(answer)
    answer.focus({ preventScroll: true })
    turnSwitchOn(words, since)
  })
}

/** Returns the day of the consent; undefined if the server cannot be reached. */
async function agree(form: HTMLFormElement): Promise<string | undefined> {
  const fields = [...new FormData(form)].map(([name, value]) => [
    name,
    typeof value === 'string' ? value : '', // the form has no file
  ])
  try {
    const answer = await fetch(form.action, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams(fields),
    })
    return answer.ok ? (await answer.json()).since : undefined
  } catch {
    return undefined
  }
}

/** The switch further down on the page. */
function turnSwitchOn({ on, textWhenOn }: PersonalPageWords['news'], since: string): void {
  const button = elementOf('announcements-switch', HTMLButtonElement)
  button.setAttribute('aria-checked', 'true')
  button.value = 'off'
  element('announcements-state').textContent = on
  element('announcements-text').textContent = fill(textWhenOn, { day: since })
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
