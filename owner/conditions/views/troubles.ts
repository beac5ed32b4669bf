import { ownerMailText } from '#content/owner-mail.ts'
import { fill } from '#site/text/fill.ts'
import { headingOfMailTrouble, wordsOfMailTrouble } from '#owner/mail/mail-trouble-words.ts'
import type { RouterOutputs } from '#owner/desk/views/api/trpc.ts'
import { counted, formatNumber, formatTime } from '#owner/desk/views/format/format.ts'

export type TodayState = RouterOutputs['today']['state']

export interface Trouble {
  heading: string
  text: string
  /** The path of the view that says what to do. */
  view: string
  /** The check-up has it among its findings. */
  isFinding?: boolean
}

const alarmHeadings = {
  bounces: 'Too much mail fails or comes back.',
  'many-sign-ups': 'There are unusually many sign-ups.',
}
/** The words of the mails that tell the same. */
const words = ownerMailText.alarm

/** Returns the troubles that need the owner, the gravest first. */
export function troublesOf(today: TodayState): Trouble[] {
  const { disk, letter, pageNotUpdated } = today
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
      text: fill(words.disk.text, { megabytes: formatNumber(Math.round(disk.freeBytes / 1e6)) }),
      view: 'check-up',
    })
  }
  if (pageNotUpdated !== null) {
    found.push({
      heading: 'Your page could not be updated.',
      text: fill(words.pageNotUpdated.text, { why: pageNotUpdated }),
      view: 'page',
      isFinding: true,
    })
  }
  if (letter?.pausedWhy) {
    found.push({
      heading: `“${letter.title}” has paused.`,
      text: 'More of it came back than the limit allows. Sign-up mail still goes out.',
      view: `letters/${letter.id}`,
    })
  }
  return [...found, ...alarmTroubles(today), ...findingTroubles(today)]
}

function alarmTroubles({ alarms }: TodayState): Trouble[] {
  return alarms.map(({ kind, count, beside }) => ({
    heading: alarmHeadings[kind],
    text: fill(words[kind].text, { count: formatNumber(count), beside: formatNumber(beside) }),
    view: kind === 'bounces' ? 'mail' : 'check-up',
  }))
}

/** The check-up lists each of them too, one by one. */
function findingTroubles({ placeholders, wrongFindings, isHeldBack }: TodayState): Trouble[] {
  const found: Trouble[] = []
  if (placeholders.length > 0 && !isHeldBack) {
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
  const { text } = wordsOfMailTrouble(trouble, { waiting, at, timeOf: formatTime })
  return [{ heading: headingOfMailTrouble(trouble.kind), text, view: 'mail' }]
}
