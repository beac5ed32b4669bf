import { explainReason } from '../../../deliveries/reasons.ts'
import type { TodayState } from '../api.ts'
import { counted, dayName, momentOf, number, size, spanOf } from '../format.ts'

export const mailHeadings = {
  away: 'The mail server takes no mail.',
  stuck: 'Mail is stuck.',
  late: 'Mail is late.',
}
const alarmHeadings = {
  bounces: 'Too much mail fails or comes back.',
  'many-sign-ups': 'There are unusually many sign-ups.',
}

/**
 * Returns the troubles that need the owner, the gravest first. `view`: the one that says what to
 * do.
 */
export function troublesOf(today: TodayState) {
  const { disk, announcement, alarms, wrongFindings } = today
  const found = mailTrouble(today)
  if (disk?.isLow) {
    found.push({
      heading: 'The disk is nearly full.',
      text: `${size(disk.freeBytes)} are free. Without room no sign-up can be kept.`,
      view: 'check-up',
    })
  }
  if (announcement?.state === 'paused-automatically') {
    found.push({
      heading: `${announcement.title} has paused automatically.`,
      text: 'More of it came back than the limit allows. Mail of sign-ups still goes out.',
      view: 'announce',
    })
  }
  for (const alarm of alarms) {
    const view = alarm.kind === 'bounces' ? 'mail' : 'check-up'
    found.push({ heading: alarmHeadings[alarm.kind], text: textOf(alarm), view })
  }
  if (wrongFindings > 0) {
    found.push({
      heading: `The check-up found ${counted(wrongFindings, 'fault')}.`,
      text: 'It says why, and what to do.',
      view: 'check-up',
    })
  }
  return found
}

function mailTrouble({ at, mail: { trouble, waiting } }: TodayState) {
  if (!trouble) return []
  const span = spanOf(at - trouble.since)
  const since = {
    away: `Last tried: ${momentOf(trouble.since)}.`,
    stuck: `None has gone out for ${span}.`,
    late: `The oldest has been due for ${span}.`,
  }
  const mails = counted(waiting, 'mail is', 'mails are')
  const text = `${since[trouble.kind]} ${explainReason(trouble.why).words} ${mails} waiting. Nothing is lost, and sign-ups are still taken.`
  return [{ heading: mailHeadings[trouble.kind], text, view: 'mail' }]
}

function textOf(alarm: TodayState['alarms'][number]): string {
  if (alarm.kind === 'bounces') {
    return `${number(alarm.count)} mails failed or came back in the last 7 days, and ${number(alarm.beside)} were delivered.`
  }
  return `${number(alarm.count)} on ${dayName(alarm.day)}. About ${number(alarm.beside)} a day are usual.`
}
