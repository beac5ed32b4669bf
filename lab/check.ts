// `npm test`: everything that must hold before a change goes out. CI runs the same.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, relative } from 'node:path'
import { findPostgresPrograms } from '#rigs/database/postgres-programs.ts'
import { importsOfTrackedFiles, reachedFrom } from './rules/imports.ts'

interface Step {
  name: string
  command: string[]
  environment?: Record<string, string>
  /** A vitest run counts its tests; any other step counts as one. */
  reportFile?: string
}

interface Outcome {
  step: Step
  passed: number
  failed: number
}

/** The part of vitest's JSON report that is read here; times in ms since 1970. */
interface TestReport {
  numPassedTests: number
  numFailedTests: number
  testResults: { name: string; startTime: number; endTime: number }[]
}

/** Several times what the longest step needs on a slow machine: a step that hangs fails, and the others still run. */
const stepTimeoutMs = 20 * 60_000
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'starter-bot-check-'))

// Tests of both lanes start the product, so the build comes first. Each lane fills about one core.
const build: Step = { name: 'build', command: ['node', 'app/build/build.ts'] }
const lanes: Step[][] = [
  [vitest('unit tests', 'unit'), ...(findPostgresPrograms() ? [unitTestsOnPostgres()] : [])],
  [
    { name: 'types', command: ['tsc', '--noEmit'] },
    { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
    { name: 'format', command: ['prettier', '--check', '--log-level=warn', '.'] },
    { name: 'drills', command: ['node', 'lab/drills/main.ts', '--short'] },
    vitest('browser journeys', 'e2e'),
  ],
]

const outcomes = [await run(build), ...(await Promise.all(lanes.map(runInOrder))).flat()]
printSlowestFiles(outcomes)
rmSync(folder, { recursive: true, force: true })
const failedSteps = outcomes.filter(({ failed }) => failed > 0).map(({ step }) => step.name)
if (failedSteps.length > 0) console.log(`\nFailed: ${failedSteps.join(', ')}`)
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`)
process.exitCode = failedSteps.length > 0 ? 1 : 0

function vitest(name: string, project: string, files: string[] = []): Step {
  const reportFile = join(folder, `${name}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
  return { name, command: ['vitest', 'run', '--project', project, ...reporters, ...files], reportFile }
}

/** The tests of the product that open a database, once more on the other engine; not those that start a PostgreSQL anyway. */
function unitTestsOnPostgres(): Step {
  const imports = importsOfTrackedFiles()
  const files = [...imports.keys()].filter(
    (file) =>
      !imports.get(file)?.has('lab/rigs/database/postgres-server.ts') &&
      /^(?:app|owner)\/.*\.test\.tsx?$/.test(file) &&
      reachedFrom(file, imports).has('lab/rigs/database/temporary-database.ts'),
  )
  return { ...vitest('unit tests on PostgreSQL', 'unit', files), environment: { TEST_ENGINE: 'postgres' } }
}

async function runInOrder(steps: Step[]): Promise<Outcome[]> {
  const results: Outcome[] = []
  for (const step of steps) results.push(await run(step))
  return results
}

/** Prints a step's output when the step has ended, so that the lanes do not mix. */
async function run(step: Step): Promise<Outcome> {
  const { name, command } = step
  console.log(`… ${name}: ${command.slice(0, 4).join(' ')}`)
  const start = performance.now()
  const { succeeded, printed } = await runCommand(step)
  const outcome = { step, ...countTests(step, succeeded) }
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const verdict = outcome.failed > 0 ? 'FAILED' : 'ok'
  console.log(`\n— ${name}\n${printed}${verdict} ${name} (${seconds} s)\n`)
  return outcome
}

function runCommand({ command: [command = '', ...args], environment }: Step) {
  // The tools are started by their own first line (`env node`), so the pinned Node has to come first.
  const path = [join(root, 'node_modules', '.bin'), process.env['PATH']].join(delimiter)
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, PATH: path, ...environment },
    shell: process.platform === 'win32',
    timeout: stepTimeoutMs,
    killSignal: 'SIGKILL',
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  return new Promise<{ succeeded: boolean; printed: string }>((resolve) => {
    child.on('error', (fault) => resolve({ succeeded: false, printed: `${fault.message}\n` }))
    child.on('close', (code) => resolve({ succeeded: code === 0, printed }))
  })
}

function countTests({ reportFile }: Step, succeeded: boolean): { passed: number; failed: number } {
  if (reportFile === undefined) return { passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1 }
  const report = readReport(reportFile)
  const failed = report?.numFailedTests ?? 1
  // A file that does not load, or an error outside of any test, fails the run without a failed test.
  return { passed: report?.numPassedTests ?? 0, failed: succeeded ? failed : Math.max(1, failed) }
}

/** Is undefined if the run ended before it wrote one. */
function readReport(file: string): TestReport | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

function printSlowestFiles(all: readonly Outcome[]): void {
  const files = all.flatMap(({ step }) => {
    const report = step.reportFile === undefined ? undefined : readReport(step.reportFile)
    return (report?.testResults ?? []).map(({ name, startTime, endTime }) => ({
      label: `${relative(root, name)} (${step.name})`,
      seconds: (endTime - startTime) / 1000,
    }))
  })
  console.log('The ten test files that took longest:')
  for (const { label, seconds } of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10))
    console.log(`${seconds.toFixed(1).padStart(6)} s  ${label}`)
}

function sum(count: 'passed' | 'failed'): number {
  return outcomes.reduce((total, outcome) => total + outcome[count], 0)
}
