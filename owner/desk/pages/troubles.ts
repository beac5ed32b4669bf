import type { Today } from '../contract.ts'
import { counted, dayName, size, spanOf } from './format.ts'

interface Trouble {
  heading: string
  text: string
  /** The view that says what to do. */
  view: 'mail' | 'announce' | 'check-up'
}

const headings = {
  stuck: 'Mail is stuck.',
  late: 'Mail is late.',
  bounces: 'Too much mail fails or comes back.',
  'no-sign-ups': 'There are no sign-ups.',
  'few-sign-ups': 'There are unusually few sign-ups.',
  'many-sign-ups': 'There are unusually many sign-ups.',
}

/** Returns the troubles that need the owner, the gravest first. */
export function troublesOf({ at, mail: { trouble }, waiting, disk, announcement, alarms }: Today): Trouble[] {
  const found: Trouble[] = []
  if (trouble) {
    const stuck = trouble.kind === 'stuck' ? 'None has gone out' : 'The oldest has been due'
    const people = counted(waiting.count, 'person', 'people')
    found.push({
      heading: headings[trouble.kind],
      text: `${stuck} for ${spanOf(at - trouble.since)}. ${trouble.reason.words} ${people} wait. Nothing is lost, and sign-ups are still taken.`,
      view: 'mail',
    })
  }
  if (disk?.isLow)
    found.push({
      heading: 'The disk is nearly full.',
      text: `${size(disk.freeBytes)} are free. Without room no sign-up can be kept.`,
      view: 'check-up',
    })
  if (announcement?.state === 'paused-automatically')
    found.push({
      heading: `The announcement of ${announcement.version} has paused automatically.`,
      text: 'More of it came back than the limit allows. Mail of sign-ups still goes out.',
      view: 'announce',
    })
  for (const alarm of alarms) {
    const view = alarm.kind === 'bounces' ? 'mail' : 'check-up'
    found.push({ heading: headings[alarm.kind], text: textOf(alarm), view })
  }
  return found
}

function textOf(alarm: Today['alarms'][number]): string {
  switch (alarm.kind) {
    case 'bounces':
      return `${alarm.bad} mails failed or came back in the last days, and ${alarm.delivered} were delivered.`
    case 'no-sign-ups':
      return `Not one since ${dayName(alarm.since)}. About ${alarm.usual} would have been usual.`
    case 'few-sign-ups':
    case 'many-sign-ups':
      return `${alarm.count} on ${dayName(alarm.day)}. ${alarm.low} to ${alarm.high} would have been usual.`
  }
}
