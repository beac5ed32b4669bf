import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { plot } from './plot.ts'
import { simulate } from './simulate.ts'

/** `node bench/launch-day/main.ts`: the table and the plot of docs/scaling.md. */
const signUps = 1_000_000
const hours = 48
const curves = [30_000, 60_000, 150_000].map((mailsPerHour) => {
  const day = { signUps, mailsPerHour, hours }
  return { day, minutes: simulate(day) }
})

console.log('mails an hour | most waiting | longest wait | all sent after')
for (const { day, minutes } of curves) {
  const mostWaiting = Math.max(...minutes.map(({ arrived, sent }) => arrived - sent))
  const longest = Math.max(...minutes.map(({ waitMinutes }) => waitMinutes))
  const caughtUp = minutes.findLastIndex(({ waitMinutes }) => waitMinutes > 0) + 1
  console.log(
    [
      day.mailsPerHour,
      Math.round(mostWaiting),
      `${(longest / 60).toFixed(1)} h`,
      `${(caughtUp / 60).toFixed(0)} h`,
    ].join(' | '),
  )
}
writeFileSync(join(import.meta.dirname, '../../../docs/launch-day.svg'), plot(curves))
