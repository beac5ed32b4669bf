import { ownerMailText } from '#content/owner-mail.ts'
import type { AlarmFinding } from './alarm-findings.ts'
import { dayInWords, daysInWords, inWords, timeInWords } from './in-words.ts'
import type { OwnerMail } from './send-once.ts'

/** One finding: in a few words, in sentences, and with advice. */
interface Told {
  what: string
  seen: string
  advice: string
}

const words = ownerMailText.alarm

/** `waiting`: unsent deliveries. */
export function composeAlarm(findings: readonly AlarmFinding[], waiting: number, at: number): OwnerMail {
  const told = findings.map((finding) => tell(finding, waiting, at))
  return {
    subject: words.subject(told.map(({ what }) => what).join(', ')),
    paragraphs: [
      ...told.map(({ what, seen, advice }) =>
        [what.toUpperCase(), seen, `${words.toDo} ${advice}`].join('\n'),
      ),
      words.closing(timeInWords(at)).join('\n'),
    ],
  }
}

function tell(finding: AlarmFinding, waiting: number, at: number): Told {
  switch (finding.kind) {
    case 'stuck':
    case 'late':
      return tellOfTrouble(finding, waiting, at)
    case 'bounces':
      return tellOfBounces(finding)
    case 'no-sign-ups': {
      const { isSo, seen, advice } = words.noSignUps
      return { what: isSo, seen: seen(dayInWords(finding.since), inWords(finding.usual)), advice }
    }
    case 'few-sign-ups':
      return tellOfSignUps(finding, words.fewSignUps)
    case 'many-sign-ups':
      return tellOfSignUps(finding, words.manySignUps)
    default:
      return finding satisfies never
  }
}

function tellOfTrouble(
  { kind, since, seenAt, why }: Extract<AlarmFinding, { kind: 'stuck' | 'late' }>,
  waiting: number,
  at: number,
): Told {
  const { isSo, wasSo, now, before, waiting: rest, advice } = words[kind]
  const isStill = seenAt === at
  const seen = isStill ? now(timeInWords(since)) : before(timeInWords(since), timeInWords(seenAt))
  return { what: isStill ? isSo : wasSo, seen: `${seen} ${rest(inWords(waiting), why)}`, advice }
}

function tellOfBounces({ days, since, bad, delivered }: Extract<AlarmFinding, { kind: 'bounces' }>): Told {
  const { isSo, seen, share, advice } = words.bounces
  const ofAll = delivered > 0 ? share(((bad / delivered) * 100).toFixed(1)) : ''
  return {
    what: isSo,
    seen: seen(inWords(delivered), inWords(bad), ofAll, daysInWords(days), dayInWords(since)),
    advice,
  }
}

function tellOfSignUps(
  { count, day, low, high }: Extract<AlarmFinding, { kind: 'few-sign-ups' | 'many-sign-ups' }>,
  { isSo, seen, advice }: typeof words.fewSignUps,
): Told {
  return { what: isSo, seen: seen(inWords(count), dayInWords(day), inWords(low), inWords(high)), advice }
}
