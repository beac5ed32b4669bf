// Every npm script starts here: `node run.mjs FILE [arguments]`. Installs what FILE needs, and runs
// it under the pinned Node.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  stop(`Node 20.19 is needed: ${process.version} is older`)
}

process.chdir(import.meta.dirname)
const [file = '', ...words] = process.argv.slice(2)
/**
 * Tests, bench and drills do not read .env: they would mail through the owner's relay. Variables
 * already set win.
 */
const filesThatReadEnv = ['start.ts', 'lab/dev.ts', 'owner/command-line/main.ts']
if (filesThatReadEnv.includes(file) && existsSync('.env')) process.loadEnvFile()

const machine = `${process.platform}-${process.arch}`.replace('win32', 'win')
const nodePackage = `node-${machine.replace('darwin-arm64', 'bin-darwin-arm64')}`
const node = `node_modules/${nodePackage}/bin/node` // Windows adds .exe
install()
process.env.MALLOC_ARENA_MAX ??= '2' // 8 MB less memory
const child = spawn(node, [file, ...words], { stdio: 'inherit' })
process.on('SIGINT', () => {}) // a terminal sends Ctrl-C to the child as well
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))

/** Each set holds the ones before it: the site, the desk, everything for tests. */
function install() {
  const sets = ['--omit=dev --no-workspaces', '--omit=dev', '--include=dev']
  const isSite =
    file === 'owner/command-line/main.ts' || (file === 'start.ts' && !process.env.OWNER_EMAIL)
  const needed = isSite ? 0 : file.startsWith('lab/') ? 2 : 1
  const stamp = 'node_modules/.installed'
  const lock = readFileSync('package-lock.json', 'utf8')
  const installed = existsSync(stamp) && readFileSync(stamp, 'utf8')
  if (sets.slice(needed).some((set) => installed === set + lock)) return
  const command = `npm ci --include=optional ${sets[needed]} --no-audit --no-fund --loglevel=error`
  console.log(`Installing (${command}) …`)
  if (spawnSync(command, { stdio: 'inherit', shell: true }).status !== 0) {
    stop('npm ci failed: see above')
  }
  // npm leaves out, without a word, an optional package that it cannot download or whose hash is
  // not the lockfile's.
  if (!existsSync(`node_modules/${nodePackage}`)) {
    stop(`npm left out ${nodePackage}. Is its hash wrong?`)
  }
  writeFileSync(stamp, sets[needed] + lock)
}

function stop(message) {
  console.error(message)
  process.exit(1)
}
