// `npm test`: all that has to hold before a change goes out. Also what CI runs.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { findPostgresPrograms } from './rigs/postgres-programs.ts'

interface Step {
  name: string
  command: string[]
  environment?: Record<string, string>
  /** A vitest run counts its tests; any other step counts as one. */
  testCounts?: string
}

/** Several times what the longest step needs on a slow machine: a step that hangs fails, and the others still run. */
const stepEndsWithinMs = 20 * 60_000
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'starter-bot-check-'))

const steps: Step[] = [
  { name: 'types', command: ['tsc', '--noEmit'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'format', command: ['prettier', '--check', '--log-level=warn', '.'] },
  vitest('unit tests', 'unit'),
  ...(findPostgresPrograms() ? [onPostgres()] : []),
  { name: 'build', command: ['node', 'app/build/build.ts'] },
  { name: 'drills', command: ['node', 'lab/drills/main.ts', '--short'] },
  vitest('browser journeys', 'e2e'),
]

let passed = 0
let failed = 0
const failedSteps: string[] = []
for (const step of steps) {
  console.log(`\n— ${step.name}: ${step.command.slice(0, 4).join(' ')}`)
  const start = performance.now()
  const succeeded = await run(step.command, step.environment)
  const counts = countsOf(step, succeeded)
  passed += counts.passed
  failed += counts.failed
  if (counts.failed > 0) failedSteps.push(step.name)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${counts.failed > 0 ? 'FAILED' : 'ok'} ${step.name} (${seconds} s)`)
}
rmSync(folder, { recursive: true, force: true })
if (failedSteps.length > 0) console.log(`\nFailed: ${failedSteps.join(', ')}`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

function vitest(name: string, project: string, ...more: string[]): Step {
  const testCounts = join(folder, `${name}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${testCounts}`]
  return { name, command: ['vitest', 'run', '--project', project, ...reporters, ...more], testCounts }
}

/** Once more, those that touch a database, on the other engine. */
function onPostgres(): Step {
  const touching = ['sign-up', 'outbox', 'limits', 'personal-link', 'health', 'housekeeping', 'bounces'].map(
    (room) => `server/${room}`,
  )
  const step = vitest('unit tests on PostgreSQL', 'unit', ...touching, 'owner/')
  return { ...step, environment: { TEST_ENGINE: 'postgres' } }
}

function run([command = '', ...args]: string[], environment?: Record<string, string>): Promise<boolean> {
  // The tools are started by their own first line (`env node`), so the pinned Node has to come first.
  const path = [join(root, 'node_modules', '.bin'), process.env['PATH']].join(delimiter)
  const shell = process.platform === 'win32'
  const child = spawn(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: path, ...environment },
    shell,
    timeout: stepEndsWithinMs,
    killSignal: 'SIGKILL',
  })
  return new Promise((resolve) => {
    child.on('error', (fault) => {
      console.error(fault.message)
      resolve(false)
    })
    child.on('exit', (code) => resolve(code === 0))
  })
}

function countsOf({ testCounts }: Step, succeeded: boolean): { passed: number; failed: number } {
  if (testCounts === undefined) return { passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1 }
  const tests = readCounts(testCounts)
  // A file that does not load, or a fault outside of any test, fails the run without a failed test.
  return { passed: tests.passed, failed: succeeded ? tests.failed : Math.max(1, tests.failed) }
}

function readCounts(file: string): { passed: number; failed: number } {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(file, 'utf8'))
    return { passed: numPassedTests, failed: numFailedTests }
  } catch {
    return { passed: 0, failed: 1 }
  }
}
