// @ts-check
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A package for one platform alone, which package.json cannot name: npm would install it, or refuse
 * to, on the others.
 *
 * @typedef {object} PlatformPackage
 * @property {string} name
 * @property {string} version
 * @property {string} integrity the hash of npm's archive
 */

/**
 * Fetches a package once and returns its folder. It is beside node_modules, which `npm ci` empties.
 * Throws if npm fails, or gives another archive. run.mjs loads this file: it uses only what Node
 * 20.19 has.
 *
 * @param {PlatformPackage} wanted
 * @returns {Promise<string>}
 */
export async function fetchPackage({ name, version, integrity }) {
  const home = homeOf({ name, version })
  // npm notes there what it has installed, after it has compared the archive with the hash.
  const isInstalled = () =>
    Object.entries(packagesOf(join(home, 'node_modules/.package-lock.json'))).some(
      // The path begins with others if .fetched is a symbolic link.
      ([path, noted]) => path.endsWith(`node_modules/${name}`) && noted.integrity === integrity,
    )
  if (!isInstalled()) {
    rmSync(home, { recursive: true, force: true })
    const options = '--no-save --ignore-scripts --no-audit --no-fund --loglevel=error'
    if (!(await succeeds(`npm install --prefix "${home}" ${options} ${name}@${version}`))) {
      throw new Error(`npm could not fetch ${name}@${version}: see above.`)
    }
    if (!isInstalled()) {
      rmSync(home, { recursive: true, force: true })
      throw new Error(`npm gave another ${name}@${version} than the one whose hash is known here.`)
    }
  }
  return folderOf({ name, version })
}

/**
 * Where fetchPackage puts it.
 *
 * @param {Pick<PlatformPackage, 'name' | 'version'>} wanted
 */
export function folderOf({ name, version }) {
  return join(homeOf({ name, version }), 'node_modules', name)
}

/** @param {Pick<PlatformPackage, 'name' | 'version'>} wanted */
function homeOf({ name, version }) {
  return join(import.meta.dirname, '.fetched', `${name}@${version}`.replace('/', '+'))
}

/**
 * The entries of a lockfile, by path. None if there is no such file.
 *
 * @param {string} lockfile
 * @returns {Record<string, { integrity?: string, dev?: true, optional?: true, devOptional?: true }>}
 */
export function packagesOf(lockfile) {
  return existsSync(lockfile) ? JSON.parse(readFileSync(lockfile, 'utf8')).packages : {}
}

/**
 * Runs a command, which prints to this terminal.
 *
 * @param {string} command
 * @returns {Promise<boolean>}
 */
export async function succeeds(command) {
  const child = spawn(command, { stdio: 'inherit', shell: true })
  return new Promise((resolve) => child.on('exit', (code) => resolve(code === 0)))
}
