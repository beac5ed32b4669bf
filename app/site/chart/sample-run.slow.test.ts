import { expect, test } from 'vitest'
import { differenceFromRules, differenceFromScript } from '#lab/pine/sample-proof.ts'
import { type Lengths, runScript, triedLengths } from './sample-run.ts'

const { least, most } = triedLengths

/** Those that a visitor can try. */
const pairs: Lengths[] = []
for (let slow = least + 1; slow <= most; slow += 1) {
  for (let fast = least; fast < slow; fast += 1) pairs.push({ fast, slow })
}

test('every pair of lengths that a visitor can try runs by the rules of the script', () => {
  expect(pairs).toHaveLength(1176)
  expect(
    faultsOf(
      pairs,
      pairs.map((lengths) => differenceFromRules(runScript(lengths))),
    ),
  ).toEqual([])
})

test('each length, with the next one and with the shortest, runs as the script itself does', async () => {
  const some = pairs.filter(({ fast, slow }) => fast === slow - 1 || fast === least)
  const differences: (string | undefined)[] = []
  for (const lengths of some) differences.push(await differenceFromScript(runScript(lengths)))
  expect(faultsOf(some, differences)).toEqual([])
})

function faultsOf(tried: readonly Lengths[], differences: readonly (string | undefined)[]) {
  return tried.flatMap(({ fast, slow }, index) =>
    differences[index] === undefined ? [] : [`${fast} and ${slow}: ${differences[index]}`],
  )
}
