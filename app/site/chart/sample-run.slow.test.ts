import { expect, test } from 'vitest'
import { differenceFromScript } from '#lab/pine/sample-proof.ts'
import { runScript, triedLengths } from './sample-run.ts'

const { least, most } = triedLengths

test('every pair of lengths that a visitor can try runs as the script itself does', async () => {
  const faults: string[] = []
  let pairs = 0
  for (let slow = least + 1; slow <= most; slow += 1) {
    for (let fast = least; fast < slow; fast += 1) {
      const difference = await differenceFromScript(runScript({ fast, slow }))
      if (difference !== undefined) faults.push(`${fast} and ${slow}: ${difference}`)
      pairs += 1
    }
  }
  expect(faults).toEqual([])
  expect(pairs).toBe(1176)
}, 600_000)
