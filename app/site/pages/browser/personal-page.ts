import { fill } from '#site/text/fill.ts'
import type { PersonalPageWords } from '../small-pages/personal-page/personal-page.tsx'
import { readPasted, reader } from './alert/read-pasted.ts'
import { saveReminderOnPress } from './alert/save-reminder.ts'
import { startTestAddress } from './alert/test-address.ts'
import { answerInPlace, askForNews } from './ask-for-news.ts'
import { startBridgeForm } from './bridge-form.ts'
import { copyOnPress } from './copy-text.ts'
import { hideTooltipsOnEscape } from './hide-tooltips.ts'
import { element, pageWords } from './page-elements.ts'
import { keptLengths } from './lengths/tried-lengths.ts'

/**
 * The script of the personal page. Without it the page works on: the lines can be selected, the
 * steps opened.
 */
export function startPage(): void {
  hideTooltipsOnEscape()
  // The switch is answered at an address of its own, which is not the one to share, to keep or to
  // load again.
  history.replaceState(null, '', location.pathname.split('/', 3).join('/') + location.hash)
  const words = pageWords() as PersonalPageWords // those of this page
  copyScript(words.script)
  answerInPlace(words.news)
  sendLink(words.script.sendSubject)
  askAfterDownloads()
  const { script, bridges } = words
  if (bridges) {
    showTriedLengths(script.triedLengths ?? '')
    startBridgeForm({ ...bridges, copiedName: script.copiedName })
  }
  const read = reader(words.alert)
  readPasted(read, words.alert)
  startTestAddress(read, words.alert)
  saveReminderOnPress(words.alert.reminder)
  element('app').dataset['hydrated'] = '' // for tests
}

function copyScript({ copied, copiedName, refused }: PersonalPageWords['script']): void {
  const lines = element('script-lines')
  const words = {
    copied: fill(copied, { lines: String(lines.children.length) }),
    copiedName,
    refused,
  }
  // Counted for the owner, as a download is. Nothing depends on it.
  const count = () => void fetch(`${location.pathname}/taken`, { method: 'POST' }).catch(() => {})
  copyOnPress('copy-script', lines, words, () => {
    count()
    element('open-chart').hidden = false
    void askForNews('copied', element('open-chart'))
  })
}

/** Those of the landing page, if they were tried there in this tab. */
function showTriedLengths(text: string): void {
  const kept = keptLengths()
  if (!kept) return
  const place = element('tried-lengths')
  place.textContent = fill(text, { fast: String(kept.fast), slow: String(kept.slow) })
  place.hidden = false
}

function askAfterDownloads(): void {
  for (const link of document.querySelectorAll('a[download]')) {
    link.addEventListener('click', () => void askForNews('downloaded', link))
  }
}

/**
 * Opens the device's share sheet if it has one. Otherwise the link stays a `mailto:` without an
 * address.
 */
function sendLink(title: string): void {
  const link = element('send-link')
  if (!('share' in navigator)) return
  link.addEventListener('click', (event) => {
    event.preventDefault()
    const url = `${location.origin}${location.pathname}#script`
    // It rejects when the visitor closes the sheet.
    navigator.share({ title, url }).catch(() => {})
  })
}
