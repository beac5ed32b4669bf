import { afterEach, beforeEach, vi } from 'vitest'

/** A test that prints an error it did not expect has failed, even when every expectation held. */
let printed: unknown[][] = []
const print = console.error

beforeEach(() => {
  printed = []
  console.error = (...words: unknown[]) => {
    printed.push(words)
    print(...words)
  }
})

afterEach(() => {
  vi.unstubAllEnvs() // before the next file of this process loads its modules
  vi.unstubAllGlobals()
  console.error = print
  if (printed.length > 0) {
    throw new Error(`The test printed ${printed.length} unexpected console.error`)
  }
})
