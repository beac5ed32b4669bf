export interface LaunchDay {
  /** Over the whole simulated time. */
  signUps: number
  /** The provider's limit, to which the site's ceiling is set. */
  mailsPerHour: number
  hours: number
}

export interface Minute {
  arrived: number
  sent: number
  /** Minutes that a mail queued in this minute waits. */
  waitMinutes: number
}

/**
 * One launch, minute by minute: a burst when the news is out, halving every three hours, on top of an even trickle. Mail
 * leaves in the order it came, as the worker sends it; the hour's allowance is spent as mail comes, then mail waits for the next hour.
 */
export function simulate({ signUps, mailsPerHour, hours }: LaunchDay): Minute[] {
  const arrivals = arrivalsByMinute(signUps, hours * 60)
  const minutes: Minute[] = []
  let arrived = 0
  let sent = 0
  let allowance = 0
  for (const [minute, coming] of arrivals.entries()) {
    if (minute % 60 === 0) allowance = mailsPerHour
    arrived += coming
    const leaving = Math.min(arrived - sent, allowance)
    allowance -= leaving
    sent += leaving
    minutes.push({ arrived, sent, waitMinutes: 0 })
  }
  return withWaits(minutes)
}

const newsAtMinute = 9 * 60
const halvesEveryMinutes = 3 * 60
const shareOfTrickle = 0.2

function arrivalsByMinute(signUps: number, minutes: number): number[] {
  const burst = Array.from({ length: minutes }, (_, minute) =>
    minute < newsAtMinute ? 0 : 0.5 ** ((minute - newsAtMinute) / halvesEveryMinutes),
  )
  const whole = burst.reduce((sum, part) => sum + part, 0)
  return burst.map((part) => signUps * ((1 - shareOfTrickle) * (part / whole) + shareOfTrickle / minutes))
}

/** A mail has left once as many mails have been sent as had been queued up to its minute. */
function withWaits(minutes: Minute[]): Minute[] {
  let leaves = 0
  return minutes.map((minute, index) => {
    while (leaves < minutes.length && minutes[leaves]!.sent < minute.arrived - 1e-6) leaves += 1
    return { ...minute, waitMinutes: Math.max(0, leaves - index) }
  })
}
