import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createReceiptSeal, type Receipt } from './receipt-seal.ts'

const receipt: Receipt = {
  subscriber: 7_000_000_000,
  isCorrection: false,
  issuedAt: Date.UTC(2026, 10, 22, 12, 3),
}

const sealOne = (seal: ReturnType<typeof createReceiptSeal>, one: Receipt) => seal.seal([one])[0]!

test.each<[string, Receipt]>([
  ['of a mail', receipt],
  ['of a correction', { ...receipt, isCorrection: true }],
  ['without a mail', { ...receipt, subscriber: 0 }],
])('a receipt %s opens to what was sealed, also after a restart', (_, sealed) => {
  const text = sealOne(createReceiptSeal('the secret'), sealed)
  expect(text).toMatch(/^[\w-]{22}$/)
  expect(createReceiptSeal('the secret').open(text)).toEqual(sealed)
})

test('receipts of the same moment differ from each other in about half of their bits', () => {
  const seal = createReceiptSeal('the secret')
  const texts = seal.seal(Array.from({ length: 200 }, () => receipt))
  expect(new Set(texts).size).toBe(200)
  const [first, ...others] = texts.map((text) =>
    BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`),
  )
  const differing = others.map((one) => (one ^ first!).toString(2).replaceAll('0', '').length)
  const mean = differing.reduce((sum, one) => sum + one, 0) / differing.length
  expect(mean).toBeGreaterThan(60)
  expect(mean).toBeLessThan(68)
})

test('a receipt sealed with another secret, a changed receipt and a guess do not open', () => {
  const seal = createReceiptSeal('the secret')
  expect(seal.open(sealOne(createReceiptSeal('another'), receipt))).toBeUndefined()
  const bytes = Buffer.from(sealOne(seal, receipt), 'base64url')
  for (let bit = 0; bit < 128; bit += 1) {
    const changed = Buffer.from(bytes)
    changed[bit >> 3]! ^= 1 << (bit & 7)
    expect(seal.open(changed.toString('base64url'))).toBeUndefined()
  }
  const guesses = Array.from({ length: 20_000 }, () => seal.open(randomBytes(16).toString('base64url')))
  expect(guesses.filter(Boolean)).toEqual([])
  for (const text of ['', 'a', 'a'.repeat(23), '=='.repeat(11)]) expect(seal.open(text)).toBeUndefined()
})
