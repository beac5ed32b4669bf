// `npm test`: everything that must hold before a change goes out. CI runs the same.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
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
  name: string
  passed: number
  failed: number
  /** A line for each failed test. */
  failures: string[]
}

/** The part of vitest's JSON report that is read here. */
interface TestReport {
  numPassedTests: number
  numFailedTests: number
  testResults: { name: string; assertionResults: { fullName: string; failureMessages: string[] }[] }[]
}

/** Several times what the longest step needs on a slow machine: a step that hangs fails, and the others still run. */
const stepTimeoutMs = 20 * 60_000
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'starter-bot-check-'))

// The longest step first, so that both ends of the queue are reached at about the same time.
const queue: Step[] = [
  vitest('browser journeys', 'e2e'),
  { name: 'types', command: ['tsc', '--noEmit'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'format', command: ['prettier', '--check', '--log-level=warn', '.'] },
  vitest('unit tests', 'unit*'),
  ...(findPostgresPrograms() ? [unitTestsOnPostgres()] : []),
  { name: 'drills', command: ['node', 'lab/drills/main.ts', '--short'] },
]

// Most tests start the product, so the build comes first. Then two steps run at a time: each fills about one core.
const outcomes = [await run({ name: 'build', command: ['node', 'app/build/build.ts'] })]
await Promise.all([runQueue(), runQueue()])
rmSync(folder, { recursive: true, force: true })
const failedSteps = outcomes.filter(({ failed }) => failed > 0)
for (const { name, failures } of failedSteps) console.log(['', `Failed: ${name}`, ...failures].join('\n  '))
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`)
process.exitCode = failedSteps.length > 0 ? 1 : 0

function vitest(name: string, project: string, files: string[] = []): Step {
  const reportFile = join(folder, `${name}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
  return { name, command: ['vitest', 'run', '--project', project, ...reporters, ...files], reportFile }
}

/**
 * The tests of the product that open a database, once more on the other engine. Left out are those that start a PostgreSQL
 * anyway, and those named for a file that reaches no SQL, although a rig of theirs opens a database.
 */
function unitTestsOnPostgres(): Step {
  const imports = importsOfTrackedFiles()
  const reaches = (file: string, target: string) => reachedFrom(file, imports).has(target)
  const files = [...imports].flatMap(([test, imported]) => {
    const opensDatabase = reaches(test, 'lab/rigs/database/temporary-database.ts')
    if (!opensDatabase || !/^(?:app|owner)\/.*\.test\.tsx?$/.test(test)) return []
    if (imported.has('lab/rigs/database/postgres-server.ts')) return []
    const subject = test.replace(/(?:\.isolated)?\.test\./, '.')
    const ofProduct = [subject, ...imported].filter((file) => imports.has(file) && !file.startsWith('lab/'))
    const reachesSql = ofProduct.some((file) => reaches(file, 'app/server/database/database.ts'))
    return reachesSql || !imports.has(subject) ? [test] : []
  })
  return { ...vitest('unit tests on PostgreSQL', 'unit*', files), environment: { TEST_ENGINE: 'postgres' } }
}

async function runQueue(): Promise<void> {
  for (let step = queue.shift(); step; step = queue.shift()) outcomes.push(await run(step))
}

/** Prints a step's output when the step has ended, so that two do not mix. */
async function run(step: Step): Promise<Outcome> {
  const { name, command } = step
  console.log(`… ${name}: ${command.slice(0, 4).join(' ')}`)
  const start = performance.now()
  const { succeeded, printed } = await runCommand(step)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const verdict = succeeded ? 'ok' : 'FAILED'
  console.log(`\n— ${name}\n${printed}${verdict} ${name} (${seconds} s)\n`)
  return readOutcome(step, succeeded)
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

function readOutcome({ name, reportFile }: Step, succeeded: boolean): Outcome {
  if (reportFile === undefined)
    return { name, passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1, failures: [] }
  // The run may have ended before it wrote one.
  const report: TestReport | undefined = existsSync(reportFile)
    ? JSON.parse(readFileSync(reportFile, 'utf8'))
    : undefined
  // A file that does not load, or an error outside of any test, fails the run without a failed test.
  const failed = succeeded ? 0 : Math.max(1, report?.numFailedTests ?? 0)
  const failures = (report?.testResults ?? []).flatMap(({ name: file, assertionResults }) =>
    assertionResults
      .filter(({ failureMessages }) => failureMessages.length > 0)
      .map((test) => `${relative(root, file)}: ${test.fullName}: ${test.failureMessages[0]?.split('\n')[0]}`),
  )
  return { name, passed: report?.numPassedTests ?? 0, failed, failures }
}

function sum(count: 'passed' | 'failed'): number {
  return outcomes.reduce((total, outcome) => total + outcome[count], 0)
}
