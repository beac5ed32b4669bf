import { explainReason } from '../../../deliveries/reasons.ts'
import type { RouterOutputs } from '../api/trpc.ts'
import {
  counted,
  formatBytes,
  formatMoment,
  formatNumber,
  formatSpan,
  formatUtcDay,
} from '../format/format.ts'

export type TodayState = RouterOutputs['today']['state']

export interface Trouble {
  heading: string
  text: string
  /** The path of the view that says what to do. */
  view: string
}

export const mailHeadings = {
  away: 'The mail server takes no mail.',
  stuck: 'Mail is stuck.',
  late: 'Mail is late.',
}
const alarmHeadings = {
  bounces: 'Too much mail fails or comes back.',
  'many-sign-ups': 'There are unusually many sign-ups.',
}

/** Returns the troubles that need the owner, the gravest first. */
export function troublesOf(today: TodayState): Trouble[] {
  const { disk, announcement, alarms, wrongFindings } = today
  const found = mailTroubles(today)
  if (disk?.isLow) {
    found.push({
      heading: 'The disk is nearly full.',
      text: `${formatBytes(disk.freeBytes)} are free. Without room no sign-up can be kept.`,
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
    found.push({ heading: alarmHeadings[alarm.kind], text: describeAlarm(alarm), view })
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

function mailTroubles({ at, mail: { trouble, waiting } }: TodayState): Trouble[] {
  if (!trouble) return []
  const span = formatSpan(at - trouble.since)
  const since = {
    away: `Last tried: ${formatMoment(trouble.since)}.`,
    stuck: `None has gone out for ${span}.`,
    late: `The oldest has been due for ${span}.`,
  }
  const mails = counted(waiting, 'mail is', 'mails are')
  const text = `${since[trouble.kind]} ${explainReason(trouble.why).words} ${mails} waiting. Nothing is lost, and sign-ups are still taken.`
  return [{ heading: mailHeadings[trouble.kind], text, view: 'mail' }]
}

function describeAlarm(alarm: TodayState['alarms'][number]): string {
  if (alarm.kind === 'bounces') {
    return `${formatNumber(alarm.count)} mails failed or came back in the last 7 days, and ${formatNumber(alarm.beside)} were delivered.`
  }
  return `${formatNumber(alarm.count)} on ${formatUtcDay(alarm.day)}. About ${formatNumber(alarm.beside)} a day are usual.`
}
