import { useEffect, useState } from 'react'
import type { ReceiptStatus } from '#contract/sign-up.ts'
import type { SignUpNote } from './sign-up-state.ts'

/** Seconds after the answer. */
const askAfter = [1, 2, 4, 8, 15, 30, 40, 60, 120, 300, 600, 1200]

function isDue(since: number, seconds = Infinity): boolean {
  return Date.now() >= since + seconds * 1000
}

/** Returns the last status of the note's receipt, and the age of the note when it was asked for. */
export function useReceipt(note: SignUpNote | undefined) {
  const [read, setRead] = useState<{
    note: SignUpNote
    status: ReceiptStatus | undefined
    ageMs: number
  }>()
  useEffect(() => {
    if (!note?.receiptUrl) return
    const { receiptUrl, since } = note
    let timer: ReturnType<typeof setTimeout>
    let isOver = false
    let status: ReceiptStatus | undefined

    const follow = async () => {
      for (const [index, seconds] of askAfter.entries()) {
        // After sleep several are due: only the last of them is asked for.
        if (isDue(since, askAfter[index + 1])) continue
        await new Promise((resolve) => {
          timer = setTimeout(resolve, since + seconds * 1000 - Date.now())
        })
        if (isDue(since, askAfter[index + 1])) continue
        const response = await fetch(receiptUrl).catch(() => undefined)
        const answer: ReceiptStatus | undefined =
          response?.ok && (await response.json().catch(() => undefined))
        if (isOver) return
        status = answer || status
        // Without an answer nothing new is known of the mail.
        if (answer || !status) setRead({ note, status, ageMs: seconds * 1000 })
        if (status?.state === 'handed-over') return
      }
    }

    void follow()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [note])
  return read && read.note === note ? read : { status: undefined, ageMs: 0 }
}
