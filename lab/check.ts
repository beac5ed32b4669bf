// `npm test`: the first tier. `npm run test:all`: that and the second.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { startVitest } from 'vitest/node'
import { fetchPostgresPrograms } from '#rigs/database/postgres-programs.ts'
import { startPostgresServer } from '#rigs/database/postgres-server.ts'
import { filesInMemory } from '../vitest.config.ts'
import { statementFaults } from './rules/every-statement.ts'
import { ProgressReporter, seconds } from './rules/progress-reporter.ts'

interface Tier {
  /** Run one after the other beside the tests, those of both tiers in one row. */
  steps: Record<string, string>
  /** Of vitest.config.ts. */
  projects: string[]
  /** The processor time that the tests may use, in yardsticks (rules/yardstick.ts). */
  maxYardsticks: number
}

const firstTier: Tier = {
  steps: {
    types: 'tsc -b --noEmit --builders 1 --checkers 1',
    lint: 'oxlint --deny-warnings',
    format: 'prettier --check --cache --log-level=warn .',
  },
  projects: ['e2e', 'unit', 'pg'],
  maxYardsticks: 36_000,
}
const secondTier: Tier = {
  steps: {
    'lint with types': 'oxlint --type-aware --deny-warnings',
    'unused code': 'knip --cache',
    drills: 'node lab/drills/main.ts --short',
  },
  projects: ['e2e-slow', 'unit-slow'],
  maxYardsticks: Infinity,
}

const root = join(import.meta.dirname, '..')
process.chdir(root)
// The first line of each tool is `env node`, so this Node has to come first in PATH.
const bins = [dirname(process.execPath), join(root, 'node_modules/.bin'), process.env['PATH']]
process.env['PATH'] = bins.join(delimiter)
/** Threads and child processes need not compile the sources again. */
process.env['NODE_COMPILE_CACHE'] = join(root, 'node_modules/.cache/node')

/** In CI `npm test` notes here what it counted, and `npm run test:all` goes on from there. */
const note = process.env['FIRST_TIER_NOTE']
const sum = { passed: 0, failed: 0 }
const isAll = process.argv[2] === '--all'
const isFirstKnown = isAll && note !== undefined && existsSync(note)
if (isFirstKnown) Object.assign(sum, JSON.parse(readFileSync(note, 'utf8')))

if (!isFirstKnown) await runStep('build', 'node app/build/build.ts') // the tests need dist/
await fetchPostgresPrograms()
/** On a disk a new database takes four times the processor's time. */
process.env['POSTGRES_PARENT'] = filesInMemory().TMPDIR ?? tmpdir()
const postgres = await startPostgresServer()
if (postgres) process.env['TEST_POSTGRES_URL'] = postgres.url
const statements = mkdtempSync(join(tmpdir(), 'starter-bot-statements-'))
process.env['STATEMENTS_FOLDER'] = statements
const tiers: Tier[] = []
if (!isFirstKnown) tiers.push(firstTier)
if (isAll) tiers.push(secondTier)
await Promise.all([runSteps(), runTests()])
if (!isAll && note !== undefined) writeFileSync(note, JSON.stringify(sum))
await postgres?.destroy()
rmSync(statements, { recursive: true })
console.log(`\n${sum.passed} passed, ${sum.failed} failed`)
process.exitCode = sum.failed > 0 ? 1 : 0

async function runSteps(): Promise<void> {
  for (const [name, command] of tiers.flatMap(({ steps }) => Object.entries(steps))) {
    await runStep(name, command)
  }
}

async function runStep(name: string, command: string): Promise<void> {
  const start = performance.now()
  const env = { ...process.env, GOMAXPROCS: '1' } // two threads of tsgolint take 2 s more
  const child = spawn(command, { shell: true, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const printed = await Promise.all([text(child.stdout), text(child.stderr)])
  const isOk = (await ended) === 0
  report(`${name} (${seconds(performance.now() - start)})`, isOk ? [] : printed)
}

async function runTests(): Promise<void> {
  for (const tier of tiers) await runTestsOf(tier)
}

async function runTestsOf({ projects, maxYardsticks }: Tier): Promise<void> {
  const reporter = new ProgressReporter()
  const project = projects.filter((name) => name !== 'pg' || postgres)
  const options = { project, reporters: [reporter], run: true, watch: false }
  const vitest = await startVitest('test', [], options)
  await vitest.close()
  count(reporter)
  const { processorMs, yardsticks } = reporter
  const used = `${seconds(processorMs)} of processor time, ${yardsticks} yardsticks`
  const tooMuch = `The budget is ${maxYardsticks} yardsticks (lab/check.ts).`
  report(`The tests used ${used}`, yardsticks < maxYardsticks ? [] : [tooMuch])
  if (!postgres) console.log('There is no PostgreSQL on this machine: nothing ran on it.')
  else report('each statement on PostgreSQL', await statementFaults(statements, postgres.url))
}

/** A step without faults has passed. */
function report(name: string, faults: string[]): void {
  const isOk = faults.length === 0
  console.log([`${isOk ? 'ok' : 'FAILED'} ${name}`, ...faults].join('\n'))
  count({ passed: isOk ? 1 : 0, failed: isOk ? 0 : 1 })
}

function count({ passed, failed }: typeof sum): void {
  sum.passed += passed
  sum.failed += failed
}
