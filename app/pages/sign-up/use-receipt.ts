import { useEffect, useState } from 'react'
import type { ReceiptStatus } from '#contract/sign-up.ts'
import type { SignUpNote } from './sign-up-state.ts'

/** Seconds after the answer. Later the receipt is read only when the visitor returns to the tab. */
const askAfter = [1, 2, 4, 8, 15, 30]
const minGapMs = 10_000
const validMs = 30 * 60_000

/** Returns the age of the note in seconds, updated each second, and the last status of its receipt. */
export function useReceipt(note: SignUpNote | undefined) {
  const [time, setTime] = useState(0)
  const [answer, setAnswer] = useState<{ of: SignUpNote; status: ReceiptStatus }>()
  useEffect(() => {
    if (!note) return
    const { since, receiptUrl } = note
    let turn = 0
    let askedAt = 0
    let isOver = !receiptUrl

    async function poll(change?: Event) {
      const now = Date.now()
      setTime(now)
      const due = askAfter.filter((seconds) => now - since >= seconds * 1000).length
      const isBack = change && !document.hidden && now - since < validMs && now - askedAt >= minGapMs
      if (isOver || (due === turn && !isBack)) return
      turn = due
      askedAt = now
      const response = await fetch(receiptUrl!).catch(() => undefined) // asked again at the next turn
      if (!response?.ok) return
      const status: ReceiptStatus = await response.json()
      isOver ||= status.state === 'handed-over'
      setAnswer({ of: note!, status })
    }

    const timer = setInterval(poll, 1000)
    document.addEventListener('visibilitychange', poll)
    return () => {
      isOver = true
      clearInterval(timer)
      document.removeEventListener('visibilitychange', poll)
    }
  }, [note])
  const age = Math.max(0, time - (note?.since ?? 0))
  return { age: age / 1000, status: answer && answer.of === note ? answer.status : undefined }
}
