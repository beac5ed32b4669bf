// Every npm script starts here: `node run.mjs FILE [arguments]`.
// Installs what is missing, then runs FILE under the pinned Node. It runs before the install, on any Node >= 20.19, so it
// imports Node's own modules only.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'

const parent = process.ppid // read before the install, which may outlive the parent
const root = import.meta.dirname
/** Hold the lockfile as it was installed: for the product, and with the packages of tests and measurements as well. */
const productLock = join(root, 'node_modules', '.starter-bot-lock')
const fullLock = join(root, 'node_modules', '.starter-bot-lock-with-tests')
const pinnedNode = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')

const filesThatReadEnv = new Set(['start.ts', 'lab/dev.ts', 'owner/command-line/main.ts'])

const isOfLab = process.argv[2]?.startsWith('lab/') && process.argv[2] !== 'lab/dev.ts'
installIfStale()
if (isOfLab) installTestsIfStale()
runWithPinnedNode(process.argv.slice(2))

function installIfStale() {
  // Together when both are missing: npm ci is faster than to add.
  const kind = isOfLab ? '--include=dev' : '--omit=dev'
  install(productLock, ['ci', kind], isOfLab ? [fullLock] : [])
}

/** Adds to what is installed, so that a server may run meanwhile. */
function installTestsIfStale() {
  install(fullLock, ['install', '--no-save', '--include=dev'])
}

function install(stamp, words, moreStamps = []) {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  console.log(`Installing (npm ${words.join(' ')}) …`)
  const npm = [...words, '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  const done = spawnSync('npm', npm, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  if (done.status !== 0) process.exit(done.status ?? 1)
  for (const file of [stamp, ...moreStamps]) writeFileSync(file, lock)
}

function runWithPinnedNode(fileAndArguments) {
  const child = spawn(pinnedNode, [...envFile(fileAndArguments), ...fileAndArguments], {
    cwd: root,
    stdio: 'inherit',
    env: environment(),
  })
  child.on('error', (fault) => {
    console.error(`Cannot run ${pinnedNode}: ${fault.message}`)
    process.exit(1)
  })
  // A terminal sends Ctrl-C to the child as well. A SIGTERM may be sent to this process alone.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  if (isNpmScript(fileAndArguments)) onceParentIsGone(() => child.kill('SIGTERM'))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

/** Tests, bench and drills do not read `.env`: they would mail through the owner's relay. Variables already set win. */
function envFile([file]) {
  return filesThatReadEnv.has(file) && existsSync(join(root, '.env')) ? ['--env-file=.env'] : []
}

/** Any other parent may end on purpose, such as a script that leaves the server running in the background. */
function isNpmScript([file]) {
  const script = process.env.npm_lifecycle_script ?? ''
  return script.startsWith(`node run.mjs ${file}`) && !script.includes('&')
}

/** npm sends a SIGTERM to the shell between us, and both end. The shell does not pass it on, so we poll. */
function onceParentIsGone(act) {
  const poll = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(poll)
    act()
  }, 100)
}

/** Saves time and memory at every start (docs/decisions/0010 has the figures). The owner's own settings win. */
function environment() {
  const { config } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const compiled = join(root, config.compileCache)
  return { NODE_COMPILE_CACHE: compiled, ...config.startEnvironment, ...process.env }
}
