// Every npm script starts here: `node run.mjs FILE [arguments]`.
// Installs what FILE needs, then runs it under the pinned Node. It runs before the install, on any Node >= 20.19, so it
// imports Node's own modules only.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { parseEnv } from 'node:util'

const parent = process.ppid // read before the install, which may outlive the parent
const root = import.meta.dirname
const [file = '', ...words] = process.argv.slice(2)
const onWindows = process.platform === 'win32'

/** Tests, bench and drills do not read `.env`: they would mail through the owner's relay. Variables already set win. */
const filesThatReadEnv = new Set(['start.ts', 'lab/dev.ts', 'owner/command-line/main.ts'])
const env = { ...(filesThatReadEnv.has(file) ? readEnvFile() : {}), ...process.env }

/** Groups of packages (docs/decisions/0040). Each holds the ones before it. */
const productGroups = {
  site: ['--omit=dev', '--omit=peer'],
  desk: ['--omit=dev'],
  tests: ['--include=dev'],
}

await Promise.all([
  install(root, productGroups, groupOf()),
  install(join(root, 'runtime'), { node: [] }, 'node'),
])
const pinnedNode = findPinnedNode()
linkPinnedNode()
runWithPinnedNode()

function groupOf() {
  if (file === 'lab/dev.ts' || file.startsWith('app/build/')) return 'desk'
  if (file.startsWith('lab/')) return 'tests'
  return file === 'start.ts' && env.OWNER_EMAIL ? 'desk' : 'site'
}

/** Installs a group from scratch, or adds it to what the same lockfile has installed, so that a server may run meanwhile. */
async function install(folder, groups, group) {
  const stamp = join(folder, 'node_modules', '.starter-bot-installed.json')
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8')
  const installed = existsSync(stamp) ? JSON.parse(readFileSync(stamp, 'utf8')) : {}
  const isSameLock = installed.lock === lock
  const order = Object.keys(groups)
  if (isSameLock && order.indexOf(installed.group) >= order.indexOf(group)) return
  const command = [
    ...(isSameLock ? ['install', '--no-save'] : ['ci']),
    '--include=optional',
    ...groups[group],
  ]
  console.log(`Installing (npm ${command.join(' ')}) …`)
  const npm = spawn('npm', [...command, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: 'inherit',
    shell: onWindows,
  })
  const [code] = await once(npm, 'exit')
  if (code !== 0) process.exit(code ?? 1)
  writeFileSync(stamp, JSON.stringify({ group, lock }))
}

/** Finds the package of this platform. npm 10 and older may lose its link in .bin, which the packages of all platforms share. */
function findPinnedNode() {
  const packages = join(root, 'runtime', 'node_modules')
  const ofThisPlatform = readdirSync(packages).find((name) => name.startsWith('node-')) ?? ''
  return join(packages, ofThisPlatform, 'bin', onWindows ? 'node.exe' : 'node')
}

/** So that `npx` runs the tools under it as well. Windows lets no ordinary account make links. */
function linkPinnedNode() {
  const link = join(root, 'node_modules', '.bin', 'node')
  if (onWindows || existsSync(link)) return
  rmSync(link, { force: true }) // one that leads nowhere
  symlinkSync(relative(dirname(link), pinnedNode), link)
}

function runWithPinnedNode() {
  const child = spawn(pinnedNode, [file, ...words], { cwd: root, stdio: 'inherit', env: environment() })
  child.on('error', (fault) => {
    console.error(`Cannot run ${pinnedNode}: ${fault.message}`)
    process.exit(1)
  })
  // A terminal sends Ctrl-C to the child as well. A SIGTERM may be sent to this process alone.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  if (isNpmScript()) onceParentIsGone(() => child.kill('SIGTERM'))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

function readEnvFile() {
  const path = join(root, '.env')
  return existsSync(path) ? parseEnv(readFileSync(path, 'utf8')) : {}
}

/** Any other parent may end on purpose, such as a script that leaves the server running in the background. */
function isNpmScript() {
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
  return { NODE_COMPILE_CACHE: compiled, ...config.startEnvironment, ...env }
}
