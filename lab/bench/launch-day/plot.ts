import type { LaunchDay, Minute } from './simulate.ts'

export interface Curve {
  day: LaunchDay
  minutes: Minute[]
}

const width = 920
const panel = { height: 180, left: 70, right: 20, top: 60, gap: 60 }
const colours = ['#c2370a', '#1f4f9c', '#08633c']

/** Two panels over the same hours: mail waiting to leave, and how long a mail queued at that time waits. */
export function plot(curves: readonly Curve[]): string {
  const hours = Math.max(...curves.map(({ day }) => day.hours))
  const height = panel.top + 2 * (panel.height + panel.gap)
  const panels = [
    { title: 'mails waiting', value: (minute: Minute) => minute.arrived - minute.sent },
    { title: 'wait in hours', value: (minute: Minute) => minute.waitMinutes / 60 },
  ]
  const drawn = panels.map(({ title, value }, index) => {
    const top = panel.top + index * (panel.height + panel.gap)
    return drawPanel(
      title,
      curves.map(({ minutes }) => minutes.map(value)),
      top,
      hours,
    )
  })
  const legend = curves.map(({ day }, index) => {
    const words = `${day.mailsPerHour.toLocaleString('en')} mails an hour`
    return `<text x="${panel.left + index * 220}" y="20" fill="${colours[index]}">${words}</text>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, monospace" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#f6f7f3"/>`,
    ...legend,
    ...drawn,
    '</svg>\n',
  ].join('\n')
}

function drawPanel(title: string, series: number[][], top: number, hours: number): string {
  const most = Math.max(1, ...series.flat())
  const x = (hour: number) => panel.left + (hour / hours) * (width - panel.left - panel.right)
  const y = (value: number) => top + panel.height * (1 - value / most)
  const lines = series.map((values, index) => {
    const points = values.flatMap((value, minute) =>
      minute % 10 === 0 ? [`${x(minute / 60).toFixed(1)},${y(value).toFixed(1)}`] : [],
    )
    return `<polyline points="${points.join(' ')}" fill="none" stroke="${colours[index]}" stroke-width="2"/>`
  })
  const ticks = Array.from({ length: hours / 6 + 1 }, (_, index) => index * 6).map(
    (hour) =>
      `<text x="${x(hour)}" y="${top + panel.height + 18}" fill="#4c5659" text-anchor="middle">${hour} h</text>`,
  )
  const scale = [0, most / 2, most].map((value) => {
    const label = value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1)
    return `<path d="M${panel.left} ${y(value).toFixed(1)}H${width - panel.right}" stroke="#d3d9d2"/><text x="${panel.left - 8}" y="${(y(value) + 4).toFixed(1)}" fill="#4c5659" text-anchor="end">${label}</text>`
  })
  return [
    ...scale,
    ...lines,
    ...ticks,
    `<text x="${panel.left}" y="${top - 8}" fill="#14191b">${title}</text>`,
  ].join('\n')
}
