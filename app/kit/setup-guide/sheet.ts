import type { Ink } from './drawing.ts'

/** A4 in points, after the design: 18 mm at the left, an axis of 26 mm at the right. */
export const sheet = {
  width: 595.28,
  height: 841.89,
  left: 51.02,
  axis: 521.58,
  axisLabel: 532,
  /** Where sentences end. */
  textRight: 480.6,
  /** Minute 0 on the axis of a step page, and the way to the next. */
  minuteZero: 66.7,
  minute: 68.6,
} as const

export const textWidth = sheet.textRight - sheet.left
/** Pictures reach to the axis. */
export const pictureWidth = sheet.axis - sheet.left

/** The light scheme on white: a guide gets printed. */
export const printInk: Record<Ink, string> = {
  paper: '#ffffff',
  ink: '#14191b',
  ink2: '#4c5659',
  rule: '#d3d9d2',
  fast: '#c2370a',
  slow: '#1f4f9c',
  up: '#08633c',
  down: '#8e1a72',
}
