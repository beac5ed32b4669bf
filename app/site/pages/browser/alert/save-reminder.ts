import { calendarFile, dayBefore } from '#site/kit/alert/calendar-file.ts'
import type { AlertWords } from '../../small-pages/personal-page/alert/alert-words.ts'
import { element, elementOf } from '../page-elements.ts'

/** Makes a calendar file for the day before an alert expires. */
export function saveReminderOnPress({ wrong, saved, title, entry }: AlertWords['reminder']) {
  const field = elementOf('expires', HTMLInputElement)
  element('save-reminder').addEventListener('click', () => {
    const day = dayBefore(field.value)
    const isAhead = day !== undefined && day >= localDay(new Date())
    element('save-reminder-result').textContent = isAhead ? saved : wrong
    if (!isAhead) {
      field.setAttribute('aria-invalid', 'true')
      return field.focus()
    }
    field.removeAttribute('aria-invalid')
    const id = `alert-${day}@${location.hostname}`
    download('tradingview-alert.ics', calendarFile({ day, title, text: entry, id }, Date.now()))
  })
}

function localDay(date: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

function download(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/calendar' }))
  link.download = name
  link.click()
  // Safari reads it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
