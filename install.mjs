// @ts-check
// Installs what npm puts into this folder. run.mjs loads this file, so it uses only what Node 20.19
// has.
import { spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * A package for one platform alone, which package.json cannot name: npm would install it, or refuse
 * to, on the others.
 *
 * @typedef {object} PlatformPackage
 * @property {string} name
 * @property {string} version
 * @property {string} integrity the hash of npm's archive
 */

/** npm's options: it prints errors alone. */
const quietly = ['--no-audit', '--no-fund', '--loglevel=error']
const packagesFolder = join(import.meta.dirname, 'node_modules')
/** npm notes here what it has installed, with the hashes of package-lock.json. */
const npmNote = '.package-lock.json'
/** We note here the size of what npm installed. */
const sizeNote = '.installed-size.json'

/**
 * Installs the packages of package-lock.json unless they are there. Throws if npm fails.
 *
 * @param {{ needsDev: boolean }} wanted
 */
export async function installPackages({ needsDev }) {
  const files = ['package.json', 'package-lock.json', '.npmrc']
  await installInto(packagesFolder, {
    files: files.filter((name) => existsSync(join(import.meta.dirname, name))),
    words: ['ci', '--include=optional', needsDev ? '--include=dev' : '--omit=dev', ...quietly],
    isWhole: (folder) => hasPackages(folder, needsDev),
  })
}

/**
 * @param {string} folder
 * @param {boolean} needsDev
 */
function hasPackages(folder, needsDev) {
  const installed = packagesOf(join(folder, npmNote))
  const wanted = packagesOf(join(import.meta.dirname, 'package-lock.json'))
  return Object.entries(wanted).every(([path, { integrity, ...kind }]) => {
    if (path === '') return true // the project itself
    if (kind.optional || kind.devOptional) return true // may be for another platform
    if (kind.dev && !needsDev) return true
    return installed[path]?.integrity === integrity
  })
}

/**
 * After a failure: makes the next start install the packages again if their files are not those
 * that were installed. Returns true if it does. What somebody installed by hand is left alone.
 */
export function forgetDamagedPackages() {
  const note = join(packagesFolder, sizeNote)
  if (!existsSync(note)) return false
  if (readFileSync(note, 'utf8') === sizeOf(packagesFolder)) return false
  for (const name of [sizeNote, npmNote]) rmSync(join(packagesFolder, name), { force: true })
  return true
}

/**
 * Counts the files and bytes of a node_modules/, without what tools keep there (.cache, .vite).
 *
 * @param {string} folder
 */
function sizeOf(folder) {
  const packages = readdirSync(folder).filter((name) => !name.startsWith('.'))
  const files = packages
    .flatMap((name) =>
      readdirSync(join(folder, name), { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      ),
    )
    .map((entry) => lstatSync(join(entry.parentPath, entry.name)).size)
  return JSON.stringify({ files: files.length, bytes: files.reduce((sum, size) => sum + size, 0) })
}

/**
 * Fetches a package once and returns its folder. It is beside node_modules/, which holds what
 * package-lock.json names. Throws if npm fails, or gives another archive.
 *
 * @param {PlatformPackage} wanted
 * @returns {Promise<string>}
 */
export async function fetchPackage({ name, version, integrity }) {
  await installInto(join(homeOf({ name, version }), 'node_modules'), {
    files: [],
    words: ['install', '--no-save', '--ignore-scripts', ...quietly, `${name}@${version}`],
    // npm compares the archive with the hash that it notes.
    isWhole: (folder) =>
      packagesOf(join(folder, npmNote))[`node_modules/${name}`]?.integrity === integrity,
  })
  return folderOf({ name, version })
}

/**
 * The folder into which fetchPackage puts it.
 *
 * @param {Pick<PlatformPackage, 'name' | 'version'>} wanted
 */
export function folderOf({ name, version }) {
  return join(homeOf({ name, version }), 'node_modules', name)
}

/**
 * Deletes a fetched package that does not run: the next start fetches it again.
 *
 * @param {PlatformPackage} unwanted
 */
export function forgetPackage(unwanted) {
  rmSync(homeOf(unwanted), { recursive: true, force: true })
}

/** @param {Pick<PlatformPackage, 'name' | 'version'>} wanted */
function homeOf({ name, version }) {
  return join(import.meta.dirname, '.fetched', `${name}@${version}`.replace('/', '+'))
}

/**
 * @typedef {object} Installation
 * @property {string[]} files of this project, that npm reads
 * @property {string[]} words of npm
 * @property {(folder: string) => boolean} isWhole
 */

/**
 * Lets npm install into a folder of its own, which takes its place when it is whole. So a process
 * that is killed, and an npm that outlives it, leave nothing half installed, and of two at the same
 * time the later one uses what the first one installed.
 *
 * @param {string} folder a node_modules/
 * @param {Installation} installation
 */
async function installInto(folder, { files, words, isWhole }) {
  removeLeftovers(folder)
  if (isWhole(folder)) return
  const work = `${folder}.${process.pid}`
  const made = join(work, 'node_modules')
  mkdirSync(work, { recursive: true })
  try {
    // npm looks for the next package.json above.
    writeFileSync(join(work, 'package.json'), '{}')
    for (const name of files) copyFileSync(join(import.meta.dirname, name), join(work, name))
    console.log(`Installing (npm ${words.join(' ')}) …`)
    if (!(await runNpm(words, work))) throw new Error(`npm ${words[0]} failed: see above.`)
    if (!isWhole(made)) {
      throw new Error('npm gave other packages than those whose hashes are known here.')
    }
    writeFileSync(join(made, sizeNote), sizeOf(made))
    if (!isWhole(folder)) replace(folder, made)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/**
 * Removes what installations left behind whose process was killed.
 *
 * @param {string} folder
 */
function removeLeftovers(folder) {
  if (!existsSync(dirname(folder))) return
  for (const name of readdirSync(dirname(folder))) {
    const [beginning, pid] = name.split(/\.(?=\d+$)/)
    if (beginning !== basename(folder) || pid === undefined || isRunning(Number(pid))) continue
    try {
      rmSync(join(dirname(folder), name), { recursive: true, force: true })
    } catch {
      // An npm that outlived its process still writes there.
    }
  }
}

/** @param {number} pid */
function isRunning(pid) {
  if (pid === process.pid) return false // it had the same number
  try {
    process.kill(pid, 0)
    return true
  } catch (fault) {
    return fault instanceof Error && 'code' in fault && fault.code === 'EPERM' // of another user
  }
}

/**
 * Puts `made` in the place of `folder`, which may be missing.
 *
 * @param {string} folder
 * @param {string} made
 */
function replace(folder, made) {
  if (existsSync(folder)) renameSync(folder, `${made}.replaced`)
  renameSync(made, folder)
}

/**
 * The entries of a lockfile, by path. None if there is no such file.
 *
 * @param {string} lockfile
 * @returns {Record<string, { integrity?: string, dev?: true, optional?: true, devOptional?: true }>}
 */
function packagesOf(lockfile) {
  return existsSync(lockfile) ? JSON.parse(readFileSync(lockfile, 'utf8')).packages : {}
}

/**
 * Runs npm, which prints to this terminal and ends with this process.
 *
 * @param {string[]} words
 * @param {string} folder
 * @returns {Promise<boolean>}
 */
async function runNpm(words, folder) {
  const shell = process.platform === 'win32' // there npm is a script
  const child = spawn('npm', words, { cwd: folder, stdio: 'inherit', shell })
  const end = () => void child.kill()
  const exit = () => process.exit(1)
  process.on('exit', end)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, exit)
  try {
    return await new Promise((resolve) => {
      child.on('error', ({ message }) => {
        console.error(`npm does not run: ${message}`)
        resolve(false)
      })
      child.on('exit', (code) => resolve(code === 0))
    })
  } finally {
    process.off('exit', end)
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.off(signal, exit)
  }
}
