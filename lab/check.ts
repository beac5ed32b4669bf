// `npm test`: everything that must hold before a change goes out. CI runs the same.
import { spawn } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { fetchPostgresPrograms, findPostgresPrograms } from '#rigs/database/postgres-programs.ts'

type Step = Record<'name' | 'command', string>

const root = join(import.meta.dirname, '..')
/**
 * Several times what the longest step needs on a slow machine: a step that hangs fails, and the
 * others still run.
 */
const stepTimeoutMs = 45 * 60_000
/**
 * Run again on PostgreSQL: between them they send it each statement of the product. Other files
 * repeat statements, or start a PostgreSQL of their own.
 */
const testsOnPostgres = [
  'app/server/database/database',
  'app/server/deliveries/worker',
  'app/server/routes/personal-page',
  'app/server/routes/receipts',
  'app/server/site/site-settings',
  'owner/mailings/announce-command',
  'owner/mailings/release',
  'owner/mail/commands',
  'owner/mail/bounces/bounce-hook',
  'owner/access/passkeys',
  'owner/access/sign-in',
  'owner/mailings',
  'owner/mail/router',
  'owner/site/keep',
  'owner/site/publish',
  'owner/people',
  'owner/reports/router',
  'owner/reports/stats-command',
  'owner/people/commands',
  'owner/mail/webhooks',
  'owner/start',
].join(' ')

/** The long ones first: two run at a time. */
const queue: Step[] = [
  { name: 'browser journeys', command: 'vitest run --project e2e' },
  { name: 'unit tests', command: 'vitest run --project "unit*"' },
  { name: 'drills', command: 'node lab/drills/main.ts --short' },
  { name: 'format', command: 'prettier --check --log-level=warn .' },
  { name: 'lint', command: 'oxlint --type-aware --deny-warnings' },
  { name: 'types', command: 'tsc -b --noEmit' },
  { name: 'unused code', command: 'knip' },
]
const onPostgres = `TEST_ENGINE=postgres vitest run --project unit ${testsOnPostgres}`
await fetchPostgresPrograms()
if (findPostgresPrograms()) {
  queue.splice(2, 0, { name: 'unit tests on PostgreSQL', command: onPostgres })
}

const sum = { passed: 0, failed: 0 }
const failedSteps: string[] = []
await runStep({ name: 'build', command: 'node app/build/build.ts' }) // the others need dist/
await Promise.all([runQueue(), runQueue()])
if (failedSteps.length > 0) console.log(`Failed: ${failedSteps.join(', ')}`)
console.log(`\n${sum.passed} passed, ${sum.failed} failed`)
process.exitCode = sum.failed > 0 ? 1 : 0

async function runQueue(): Promise<void> {
  for (let step = queue.shift(); step; step = queue.shift()) await runStep(step)
}

/**
 * Prints a step's output when the step has ended, so that two do not mix. A step without tests
 * counts as one.
 */
async function runStep(step: Step): Promise<void> {
  console.log(`… ${step.name}`)
  const start = performance.now()
  const { succeeded, printed } = await run(step)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`\n${printed}\n${succeeded ? 'ok' : 'FAILED'} ${step.name} (${seconds} s)\n`)
  const [tests = ''] = /^ *Tests .*$/m.exec(printed) ?? [] // vitest's summary
  const count = (outcome: string) => Number(new RegExp(`(\\d+) ${outcome}`).exec(tests)?.[1] ?? 0)
  sum.passed += tests === '' && succeeded ? 1 : count('passed')
  if (succeeded) return
  sum.failed += Math.max(1, count('failed')) // an error outside of any test fails the step, too
  failedSteps.push(step.name)
}

function run({ command }: Step) {
  // The tools are started by their own first line, `env node`: the pinned Node comes first.
  const bins = [dirname(process.execPath), join(root, 'node_modules/.bin'), process.env['PATH']]
  const child = spawn(command, {
    cwd: root,
    env: { ...process.env, PATH: bins.join(delimiter), NO_COLOR: '1' },
    shell: true,
    timeout: stepTimeoutMs,
    killSignal: 'SIGKILL',
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  }
  return new Promise<{ succeeded: boolean; printed: string }>((resolve) => {
    child.on('close', (code) => resolve({ succeeded: code === 0, printed: printed.trim() }))
  })
}
