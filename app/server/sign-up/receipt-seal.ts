import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'

/** A receipt holds all of this itself: nothing is stored for it (docs/decisions/0043). */
export interface Receipt {
  /** 0: nobody on the list. */
  subscriber: number
  /** The sign-up queued the mail that the receipt is about. */
  isCause: boolean
  /** The sign-up corrected the address of another one. */
  isCorrection: boolean
  /** ms since 1970. */
  issuedAt: number
  /** How long the mail would have taken, if there had been one. Kept in quarters of a second, up to a minute. */
  delayMs: number
}

/** The sign-up whose address another one corrects, as its receipt names it. */
export interface FirstSignUp extends Pick<Receipt, 'subscriber' | 'isCause' | 'issuedAt'> {
  receipt: string
}

export interface ReceiptSeal {
  /** Returns 22 characters of base64url. */
  seal(receipt: Receipt): string
  /** Undefined: not made with this secret. */
  open(text: string): Receipt | undefined
}

const sealedForm = /^[\w-]{22}$/
const subscriberBytes = 5
const timeBytes = 6
/** Where the fields begin: subscriber, time, flags, delay, serial number, and the mark that fills the block. */
const timeAt = subscriberBytes
const flagsAt = timeAt + timeBytes
const delayAt = flagsAt + 1
const serialAt = delayAt + 1
const markAt = serialAt + 1
/** With the flags and the time it leaves a guess a chance of one in 2^49 to open as a receipt of the last half hour. */
const mark = 0x5245
const delayUnitMs = 250
const flags = { cause: 1, correction: 2 }

/**
 * One block of AES under a key made from the instance's secret: outsiders can neither read, nor change, nor guess a receipt. The
 * cipher is kept, since making one costs more than the block. The serial number tells receipts of one moment apart.
 */
export function createReceiptSeal(secret: string): ReceiptSeal {
  const key = createHmac('sha256', secret).update('receipts').digest().subarray(0, 16)
  const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false)
  const decipher = createDecipheriv('aes-128-ecb', key, null).setAutoPadding(false)
  const block = Buffer.alloc(16)
  let serial = 0
  return {
    seal({ subscriber, isCause, isCorrection, issuedAt, delayMs }) {
      serial = (serial + 1) % 256
      block.writeUIntBE(subscriber, 0, subscriberBytes)
      block.writeUIntBE(issuedAt, timeAt, timeBytes)
      block[flagsAt] = (isCause ? flags.cause : 0) | (isCorrection ? flags.correction : 0)
      block[delayAt] = Math.min(255, Math.ceil(delayMs / delayUnitMs))
      block[serialAt] = serial
      block.writeUInt16BE(mark, markAt)
      return cipher.update(block).toString('base64url')
    },
    open(text) {
      if (!sealedForm.test(text)) return undefined
      const opened = decipher.update(Buffer.from(text, 'base64url'))
      const given = opened[flagsAt]!
      if (opened.readUInt16BE(markAt) !== mark || given > (flags.cause | flags.correction)) return undefined
      return {
        subscriber: opened.readUIntBE(0, subscriberBytes),
        isCause: (given & flags.cause) !== 0,
        isCorrection: (given & flags.correction) !== 0,
        issuedAt: opened.readUIntBE(timeAt, timeBytes),
        delayMs: opened[delayAt]! * delayUnitMs,
      }
    },
  }
}
