// `npm run mutants [-- FILE …]`: breaks the code, and prints for each file which share of the
// faults the tests of its room catch.
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, relative } from 'node:path'
import { Stryker } from '@stryker-mutator/core'

type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number]

/** Where a fault costs people mail, or the owner people. */
const rooms = [
  'app/server/{sign-up,deliveries,subscribers}/**/*.ts',
  'owner/{mailings,people,backup,mail/bounces,mail/webhooks,access}/**/*.ts',
]

const named = process.argv.slice(2)
const files =
  named.length > 0 ? named : globSync(rooms, { exclude: ['**/*.test.ts', '**/views/**'] })
/** A narrower choice of tests, to be set for a file that nearly every test runs through. */
const chosenTests = process.env['MUTANTS_TESTS']
for (const [folder, inFolder] of Map.groupBy(files, dirname)) {
  process.env['MUTANTS_TESTS'] = // mutants.vitest.ts reads this
    chosenTests ?? `${testedTogether(folder)}/**/*.test.ts`
  for (const [file, mutants] of Map.groupBy(await breakFiles(inFolder), ({ fileName }) =>
    relative('.', fileName),
  )) {
    report(file, mutants)
  }
}

/** The rooms of a sign-up are tested through its route, a room of the owner's through its acts. */
function testedTogether(folder: string): string {
  return folder.split('/').slice(0, 2).join('/')
}

async function breakFiles(mutate: string[]): Promise<MutantResult[]> {
  const stryker = new Stryker({
    mutate,
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'lab/rules/mutants.vitest.ts' },
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    tsconfigFile: 'none.json', // Stryker reads tsconfig.json through an API that TypeScript 7 does not have
    ignorePatterns: ['.fetched', 'data', 'release', 'backups', 'test-artefacts'],
    concurrency: availableParallelism(),
    reporters: ['progress'],
    tempDirName: 'test-artefacts/mutants',
  })
  return (await stryker.runMutationTest()).filter(({ status }) => status !== 'Ignored')
}

function report(file: string, mutants: MutantResult[]): void {
  const missed = mutants.filter(({ status }) => status !== 'Killed' && status !== 'Timeout')
  const caught = mutants.length - missed.length
  const percent = Math.floor((100 * caught) / mutants.length)
  console.log(`${String(percent).padStart(3)} %  ${caught} of ${mutants.length}  ${file}`)
  for (const { location, mutatorName, replacement = '' } of missed) {
    console.log(
      `         line ${location.start.line}: ${mutatorName} ${replacement.replaceAll(/\s+/g, ' ').slice(0, 80)}`,
    )
  }
}
