import type { ReactNode } from 'react'
import type { noteText } from '#content/pages/note.ts'
import type { PageValues } from '../page-values.ts'

export type NoteText = typeof noteText

/** Returns undefined if they cannot be loaded. */
export async function loadNoteText({ noteModule }: PageValues): Promise<NoteText | undefined> {
  try {
    const { noteText }: typeof import('#content/pages/note.ts') = await import(/* @vite-ignore */ noteModule)
    return noteText
  } catch {
    return undefined
  }
}

const longestCountdownMs = 3_600_000

/** "We can send it again in 15 minutes.", or at a time of day if the wait is longer than an hour. */
export function resendInWords(text: NoteText, resendAt: number, now: number): string {
  const leftMs = resendAt - now
  if (leftMs <= longestCountdownMs) return text.resendLater.join(waitInWords(text, leftMs))
  // Rounded up, so that no press comes too early.
  const time = new Date(Math.ceil(resendAt / 60_000) * 60_000)
  const isToday = time.toDateString() === new Date(now).toDateString()
  return text.nextMail.join(text.days[isToday ? 0 : 1] + timeOfDay(time))
}

/** "15 minutes", in the last minute "42 seconds"; rounded up. */
function waitInWords({ minutes, seconds }: NoteText, ms: number): string {
  const inSeconds = Math.ceil(ms / 1000)
  const [count, [one, many]] = inSeconds > 60 ? [Math.ceil(inSeconds / 60), minutes] : [inSeconds, seconds]
  return `${count} ${count === 1 ? one : many}`
}

/** By the visitor's own clock and zone. */
export function timeOfDay(time: Date): string {
  return time.toLocaleTimeString('en-GB', { timeStyle: 'short' })
}

/** Puts values in the places of a sentence's `{names}`. */
export function fillIn(sentence: string, values: Readonly<Record<string, ReactNode>>): ReactNode[] {
  return sentence.split(/[{}]/).map((part, place) => (place % 2 ? values[part] : part))
}
