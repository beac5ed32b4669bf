import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'

/** A receipt holds all of this itself: nothing is stored for it (docs/decisions/0043). */
export interface Receipt {
  /** 0: the address is not on the list. */
  subscriber: number
  /** The sign-up corrected the address of another one. */
  isCorrection: boolean
  /** ms since 1970. */
  issuedAt: number
}

/** The sign-up whose address another one corrects, as its receipt names it. */
export type FirstSignUp = Receipt & { receipt: string }

const sealedForm = /^[\w-]{22}$/
const blockBytes = 16
const subscriberBytes = 5
const timeBytes = 6
/** Offsets of the fields: subscriber, time, flags, serial number, and the mark that fills the block. */
const timeAt = subscriberBytes
const flagsAt = timeAt + timeBytes
const serialAt = flagsAt + 1
const markAt = serialAt + 1
const markBytes = 3
/** Marks a valid block. With flags and time checked too, a guess opens as a receipt of the last half hour once in 2^58 tries. */
const mark = 0x524543
const correctionFlag = 1

/**
 * Seals a receipt as one block of AES under a key made from the instance's secret, so that outsiders can neither read, change nor
 * guess one. The cipher is reused and seals a group at once, because creating and calling it cost more than the blocks. The serial
 * number distinguishes receipts of the same moment.
 */
export function createReceiptSeal(secret: string) {
  const key = createHmac('sha256', secret).update('receipts').digest().subarray(0, 16)
  const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false)
  const decipher = createDecipheriv('aes-128-ecb', key, null).setAutoPadding(false)
  let serial = 0
  return {
    /** Returns 22 characters of base64url for each. */
    seal(receipts: readonly Receipt[]): string[] {
      const blocks = Buffer.alloc(receipts.length * blockBytes)
      receipts.forEach((receipt, index) => {
        serial = (serial + 1) % 256
        writeBlock(blocks, index * blockBytes, receipt, serial)
      })
      const sealed = cipher.update(blocks)
      return receipts.map((_, index) =>
        sealed.toString('base64url', index * blockBytes, (index + 1) * blockBytes),
      )
    },
    /** Returns undefined for a text that was not sealed with this secret. */
    open: (text: string) =>
      sealedForm.test(text) ? readBlock(decipher.update(Buffer.from(text, 'base64url'))) : undefined,
  }
}

function writeBlock(blocks: Buffer, at: number, receipt: Receipt, serial: number): void {
  const { subscriber, isCorrection, issuedAt } = receipt
  blocks.writeUIntBE(subscriber, at, subscriberBytes)
  blocks.writeUIntBE(issuedAt, at + timeAt, timeBytes)
  blocks[at + flagsAt] = isCorrection ? correctionFlag : 0
  blocks[at + serialAt] = serial
  blocks.writeUIntBE(mark, at + markAt, markBytes)
}

/** Returns undefined for a block that was not sealed with this key. */
function readBlock(block: Buffer): Receipt | undefined {
  const given = block[flagsAt]!
  if (block.readUIntBE(markAt, markBytes) !== mark || given > correctionFlag) return undefined
  return {
    subscriber: block.readUIntBE(0, subscriberBytes),
    isCorrection: given === correctionFlag,
    issuedAt: block.readUIntBE(timeAt, timeBytes),
  }
}
