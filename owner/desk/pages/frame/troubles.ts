import { ownerMailText } from '#content/owner-mail.ts'
import { explainReason } from '../../../deliveries/reasons.ts'
import type { RouterOutputs } from '../api/trpc.ts'
import { counted, formatMoment, formatNumber, formatSpan, formatTime } from '../format/format.ts'

export type TodayState = RouterOutputs['today']['state']

export interface Trouble {
  heading: string
  text: string
  /** The path of the view that says what to do. */
  view: string
  /** The check-up has it among its findings. */
  isFinding?: boolean
}

export const mailHeadings = {
  away: 'The mail server takes no mail.',
  stuck: 'Mail is stuck.',
  late: 'Mail is late.',
  full: 'The mails of this hour are used up.',
}
const alarmHeadings = {
  bounces: 'Too much mail fails or comes back.',
  'many-sign-ups': 'There are unusually many sign-ups.',
}
/** The words of the mails that tell the same. */
const words = ownerMailText.alarm

/** Returns the troubles that need the owner, the gravest first. */
export function troublesOf(today: TodayState): Trouble[] {
  const { disk, announcement, alarms, placeholders, wrongFindings } = today
  const found = mailTroubles(today)
  if (today.isHeldBack) {
    found.push({
      heading: 'Your page is not open yet.',
      text: 'Strangers read that it opens soon.',
      view: 'ready',
    })
  }
  if (disk?.isLow) {
    found.push({
      heading: 'The disk is nearly full.',
      text: words.disk(formatNumber(Math.round(disk.freeBytes / 1e6))).text,
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
    const { kind, count, beside } = alarm
    const { text } = words[kind](formatNumber(count), formatNumber(beside))
    const view = kind === 'bounces' ? 'mail' : 'check-up'
    found.push({ heading: alarmHeadings[kind], text, view })
  }
  if (placeholders.length > 0 && !today.isHeldBack) {
    found.push({
      heading: 'Placeholders are on your page.',
      text: `Visitors and readers see ${placeholders.join(' and ')}. Write your own words there.`,
      view: 'page',
      isFinding: true,
    })
  }
  if (wrongFindings > 0) {
    found.push({
      heading: `The check-up found ${counted(wrongFindings, 'fault')}.`,
      text: 'It says why, and what to do.',
      view: 'check-up',
      isFinding: true,
    })
  }
  return found
}

function mailTroubles({ at, mail: { trouble, waiting } }: TodayState): Trouble[] {
  if (!trouble) return []
  return [
    {
      heading: mailHeadings[trouble.kind],
      text: describeMailTrouble(trouble, waiting, at),
      view: 'mail',
    },
  ]
}

/** What is found, since when, and what it means. */
export function describeMailTrouble(
  trouble: NonNullable<TodayState['mail']['trouble']>,
  waiting: number,
  at: number,
): string {
  const mails = formatNumber(waiting)
  if (trouble.kind === 'full') {
    const { allowed, used, roomAt } = trouble
    return words.full(formatNumber(allowed), formatNumber(used), mails, formatTime(roomAt)).text
  }
  const span = formatSpan(at - trouble.since)
  const since = {
    away: `Last tried: ${formatMoment(trouble.since)}.`,
    stuck: `None has gone out for ${span}.`,
    late: `The oldest has been due for ${span}.`,
  }
  return `${since[trouble.kind]} ${explainReason(trouble.why).words} ${counted(waiting, 'mail is', 'mails are')} waiting. Nothing is lost, and sign-ups are still taken.`
}
