import { signUpText } from '#content/pages/sign-up.ts'

const longestCountdownMs = 3_600_000

/** ". We can send it again in 15 minutes.", or at a time of day if the wait is longer than an hour. */
export function resendInWords(resendAt: number, now: number): string {
  const { resendLater, resendAtTime } = signUpText.note
  const leftMs = resendAt - now
  return leftMs > longestCountdownMs
    ? resendAtTime.join(timeOfDay(resendAt, now))
    : resendLater.join(waitInWords(leftMs))
}

/** "15 minutes", in the last minute "42 seconds"; rounded up, so that no press comes too early. */
function waitInWords(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  const { minutes, seconds: secondWords } = signUpText.note
  return seconds > 60 ? counted(Math.ceil(seconds / 60), minutes) : counted(seconds, secondWords)
}

function counted(count: number, [one, many]: readonly [string, string]): string {
  return `${count} ${count === 1 ? one : many}`
}

/** "14:05", or "14:05 on Monday" for another day; rounded up to the minute. */
function timeOfDay(time: number, now: number): string {
  const date = new Date(Math.ceil(time / 60_000) * 60_000)
  const clock = date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  const isToday = date.toDateString() === new Date(now).toDateString()
  return isToday ? clock : `${clock} on ${date.toLocaleDateString('en-GB', { weekday: 'long' })}`
}
