// `node lab/bench/launch-day.ts`: the table and the plot of docs/scaling.md.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface LaunchDay {
  /** Over the whole simulated time. */
  signUps: number
  /** The provider's limit, to which the site's ceiling is set. */
  mailsPerHour: number
  hours: number
}

interface Minute {
  arrived: number
  sent: number
  /** Minutes that a mail queued in this minute waits. */
  waitMinutes: number
}

const newsAtMinute = 9 * 60
const halvesEveryMinutes = 3 * 60
const shareOfTrickle = 0.2

/**
 * One launch, minute by minute: a burst when the news is out, halving every three hours, on top of an even trickle. Mail
 * leaves in the order it came, as the worker sends it; the hour's allowance is spent as mail comes, then mail waits for the next hour.
 */
export function simulate({ signUps, mailsPerHour, hours }: LaunchDay): Minute[] {
  const burst = Array.from({ length: hours * 60 }, (_, minute) =>
    minute < newsAtMinute ? 0 : 0.5 ** ((minute - newsAtMinute) / halvesEveryMinutes),
  )
  const whole = burst.reduce((sum, part) => sum + part, 0)
  let [arrived, sent, allowance] = [0, 0, 0]
  const minutes = burst.map((part, minute) => {
    if (minute % 60 === 0) allowance = mailsPerHour
    arrived += signUps * ((1 - shareOfTrickle) * (part / whole) + shareOfTrickle / burst.length)
    const leaving = Math.min(arrived - sent, allowance)
    allowance -= leaving
    sent += leaving
    return { arrived, sent }
  })
  // A mail has left once as many mails have been sent as had been queued up to its minute.
  let leaves = 0
  return minutes.map((minute, index) => {
    while (leaves < minutes.length && minutes[leaves]!.sent < minute.arrived - 1e-6) leaves += 1
    return { ...minute, waitMinutes: Math.max(0, leaves - index) }
  })
}

const size = { width: 920, height: 180, left: 70, right: 20, top: 60, gap: 60 }
const colours = ['#c2370a', '#1f4f9c', '#08633c']

/** Two panels over the same hours: mail waiting to leave, and how long a mail queued at that time waits. */
function plot(curves: readonly { day: LaunchDay; minutes: Minute[] }[]): string {
  const { width, height, left, top, gap } = size
  const panels: [string, (minute: Minute) => number][] = [
    ['mails waiting', (minute) => minute.arrived - minute.sent],
    ['wait in hours', (minute) => minute.waitMinutes / 60],
  ]
  const legend = curves.map(
    ({ day }, index) =>
      `<text x="${left + index * 220}" y="20" fill="${colours[index]}">${day.mailsPerHour.toLocaleString('en')} mails an hour</text>`,
  )
  const drawn = panels.map(([title, value], index) => {
    const series = curves.map(({ minutes }) => minutes.map(value))
    return drawPanel(title, series, top + index * (height + gap))
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${top + 2 * (height + gap)}" font-family="ui-monospace, monospace" font-size="12">`,
    `<rect width="${width}" height="${top + 2 * (height + gap)}" fill="#f6f7f3"/>`,
    ...legend,
    ...drawn,
    '</svg>\n',
  ].join('\n')
}

function drawPanel(title: string, series: number[][], top: number): string {
  const { width, height, left, right } = size
  const hours = series[0]!.length / 60
  const max = Math.max(1, ...series.flat())
  const x = (hour: number) => left + (hour / hours) * (width - left - right)
  const y = (value: number) => top + height * (1 - value / max)
  const scale = [0, max / 2, max].map((value) => {
    const label = value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1)
    return `<path d="M${left} ${y(value).toFixed(1)}H${width - right}" stroke="#d3d9d2"/><text x="${left - 8}" y="${(y(value) + 4).toFixed(1)}" fill="#4c5659" text-anchor="end">${label}</text>`
  })
  const lines = series.map((values, index) => {
    const points = values.flatMap((value, minute) =>
      minute % 10 === 0 ? [`${x(minute / 60).toFixed(1)},${y(value).toFixed(1)}`] : [],
    )
    return `<polyline points="${points.join(' ')}" fill="none" stroke="${colours[index]}" stroke-width="2"/>`
  })
  const ticks = Array.from({ length: hours / 6 + 1 }, (_, index) => index * 6).map(
    (hour) =>
      `<text x="${x(hour)}" y="${top + height + 18}" fill="#4c5659" text-anchor="middle">${hour} h</text>`,
  )
  const caption = `<text x="${left}" y="${top - 8}" fill="#14191b">${title}</text>`
  return [...scale, ...lines, ...ticks, caption].join('\n')
}

if (import.meta.main) {
  const curves = [30_000, 60_000, 150_000].map((mailsPerHour) => {
    const day = { signUps: 1_000_000, mailsPerHour, hours: 48 }
    return { day, minutes: simulate(day) }
  })
  console.log('mails an hour | most waiting | longest wait | all sent after')
  for (const { day, minutes } of curves) {
    const mostWaiting = Math.round(Math.max(...minutes.map(({ arrived, sent }) => arrived - sent)))
    const longestHours = Math.max(...minutes.map(({ waitMinutes }) => waitMinutes)) / 60
    const caughtUpHours = (minutes.findLastIndex(({ waitMinutes }) => waitMinutes > 0) + 1) / 60
    const figures = [day.mailsPerHour, mostWaiting, longestHours.toFixed(1), caughtUpHours.toFixed(0)]
    console.log(figures.join(' | '))
  }
  writeFileSync(join(import.meta.dirname, '../../docs/launch-day.svg'), plot(curves))
}
