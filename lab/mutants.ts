// `npm run mutants [-- FILE …]`: breaks the code, and prints for each file which share of the faults the unit tests catch.
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { relative } from 'node:path'
import { Stryker } from '@stryker-mutator/core'

/** Where a fault costs people mail, or the owner people. */
const folders =
  '{app/server/{sign-up,deliveries,subscribers},owner/{announcements,backup,deliveries/bounces,webhooks,desk/access}}'
const minPercent = 85

const named = process.argv.slice(2)
const files = named.length > 0 ? named : globSync(`${folders}/**/*.ts`, { exclude: ['**/*.test.ts'] })
const stryker = new Stryker({
  mutate: files,
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'lab/rules/mutants.vitest.ts' },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  tsconfigFile: 'none.json', // Stryker reads tsconfig.json through an API that TypeScript 7 does not have
  ignorePatterns: ['data', 'release', 'backups', 'test-artefacts'],
  concurrency: availableParallelism(),
  reporters: ['progress'],
  tempDirName: 'test-artefacts/mutants',
})
const mutants = (await stryker.runMutationTest()).filter(({ status }) => status !== 'Ignored')

let isBelow = false
for (const [file, ofFile] of Map.groupBy(mutants, ({ fileName }) => relative('.', fileName))) {
  const caught = ofFile.filter(({ status }) => status === 'Killed' || status === 'Timeout')
  const percent = Math.floor((100 * caught.length) / ofFile.length)
  isBelow ||= percent < minPercent
  console.log(`${String(percent).padStart(3)} %  ${caught.length} of ${ofFile.length}  ${file}`)
  for (const { location, mutatorName, replacement } of ofFile.filter((mutant) => !caught.includes(mutant)))
    console.log(
      `         line ${location.start.line}: ${mutatorName} ${replacement?.replaceAll(/\s+/g, ' ').slice(0, 80)}`,
    )
}
process.exitCode = isBelow ? 1 : 0
