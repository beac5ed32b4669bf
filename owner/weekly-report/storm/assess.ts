import { type StormLevel, stormLevels } from '#server/sign-up/storm.ts'

/** Counts of the last ten minutes. */
export interface Figures {
  signUps: number
  /** The highest usual number of sign-ups. */
  usual: number
  /** Mails with an outcome, and those of them that were refused or came back. */
  mails: number
  badMails: number
  /** Sign-ups that were looked at, and those of them whose mail domain none of the earlier ones had. */
  domains: number
  newDomains: number
}

export interface Assessment {
  level: StormLevel
  /** The minutes in a row whose figures were those of a lower level. */
  lowerMinutes: number
}

export const calm: Assessment = { level: 'calm', lowerMinutes: 0 }

/** Fewer sign-ups in ten minutes are not significant. */
export const minSignUps = 20
const stormFactor = 3
const maxBadShare = 0.1
/** Fewer bad mails are not a sign, whatever their share. */
const minBad = 5
const maxNewShare = 0.5
/** The level falls by one step after this time, so that it does not flicker. */
const lowerAfterMinutes = 10

/** Assesses a minute. The level rises at once and falls slowly. */
export function assess(figures: Figures, { level, lowerMinutes }: Assessment): Assessment {
  const [now, before] = [stormLevels.indexOf(levelOfFigures(figures)), stormLevels.indexOf(level)]
  if (now >= before) return { level: stormLevels[now]!, lowerMinutes: 0 }
  if (lowerMinutes + 1 < lowerAfterMinutes) return { level, lowerMinutes: lowerMinutes + 1 }
  return { level: stormLevels[before - 1]!, lowerMinutes: 0 }
}

/** Returns `watch` for one sign of trouble, `storm` for two. Three times as many sign-ups as usual count as two. */
function levelOfFigures({ signUps, usual, mails, badMails, domains, newDomains }: Figures): StormLevel {
  if (signUps < minSignUps) return 'calm'
  const signs = [
    signUps > usual,
    signUps > stormFactor * usual,
    badMails >= minBad && badMails > mails * maxBadShare,
    newDomains > domains * maxNewShare,
  ].filter(Boolean).length
  return stormLevels[Math.min(2, signs)]!
}
