import { deskText } from '#content/desk.ts'
import type { Today } from '../contract.ts'
import { dayName, number, size, spanOf } from './format.ts'

export interface Trouble {
  heading: string
  text: string
  /** The view that says what to do. */
  view: 'mail' | 'announce' | 'check-up'
}

type Alarm = Today['alarms'][number]

/** Returns the troubles that need the owner, the gravest first. */
export function troublesOf(today: Today): Trouble[] {
  const { today: words } = deskText
  const found: Trouble[] = []
  const { trouble } = today.mail
  if (trouble) {
    const text = trouble.kind === 'stuck' ? words.stuckText : words.lateText
    const people = deskText.units.people(number(today.waiting.count))
    found.push({
      heading: words[trouble.kind],
      text: text(spanOf(today.at - trouble.since), trouble.reason.words, people),
      view: 'mail',
    })
  }
  if (today.disk?.isLow)
    found.push({ heading: words.disk, text: words.diskText(size(today.disk.freeBytes)), view: 'check-up' })
  if (today.announcement?.state === 'paused-automatically')
    found.push({
      heading: words.paused(today.announcement.version),
      text: words.pausedText,
      view: 'announce',
    })
  for (const alarm of today.alarms)
    if (alarm.kind !== trouble?.kind) found.push({ heading: words.alarms[alarm.kind], ...describe(alarm) })
  return found
}

function describe(alarm: Alarm): Pick<Trouble, 'text' | 'view'> {
  const { alarmText } = deskText.today
  switch (alarm.kind) {
    case 'stuck':
    case 'late':
      return { text: '', view: 'mail' }
    case 'bounces':
      return { text: alarmText.bounces(alarm.bad, alarm.delivered), view: 'mail' }
    case 'no-sign-ups':
      return { text: alarmText.none(dayName(alarm.since), alarm.usual), view: 'check-up' }
    case 'few-sign-ups':
    case 'many-sign-ups':
      return {
        text: alarmText.outOfBand(alarm.count, dayName(alarm.day), alarm.low, alarm.high),
        view: 'check-up',
      }
  }
}
