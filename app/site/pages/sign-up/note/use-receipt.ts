import { useEffect, useState } from 'react'
import type { ReceiptStatus } from '#contract/sign-up.ts'
import type { SignUpNote } from '../sign-up-state.ts'

/** Seconds after the answer to the sign-up. */
const askAfterSeconds = [1, 2, 4, 8, 15, 30, 40, 60, 120, 300, 600, 1200]

interface ReceiptReading {
  /** The last one, if there is any. */
  status: ReceiptStatus | undefined
  /** The age of the note when `status` was requested. */
  ageMs: number
}

/** Follows the receipt of a note. */
export function useReceipt(note: SignUpNote | undefined): ReceiptReading {
  const [read, setRead] = useState<ReceiptReading & { note: SignUpNote }>()
  useEffect(() => {
    if (!note?.receiptUrl) return
    const { receiptUrl, since } = note
    let timer: ReturnType<typeof setTimeout>
    let isOver = false
    let status: ReceiptStatus | undefined

    const follow = async () => {
      for (const [index, seconds] of askAfterSeconds.entries()) {
        await new Promise((resolve) => {
          timer = setTimeout(resolve, since + seconds * 1000 - Date.now())
        })
        // After sleep several are due: only the last of them is asked for.
        const next = askAfterSeconds[index + 1]
        if (next !== undefined && Date.now() >= since + next * 1000) continue
        const answer = await readStatus(receiptUrl)
        if (isOver) return
        status = answer ?? status
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

/** Returns undefined if the server cannot be reached or knows no such receipt. */
async function readStatus(receiptUrl: string): Promise<ReceiptStatus | undefined> {
  try {
    const response = await fetch(receiptUrl)
    return response.ok ? await response.json() : undefined
  } catch {
    return undefined
  }
}
