import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findBrowser } from '#rigs/browser.ts'
import { root } from '#rigs/product.ts'

/** The part of Lighthouse's report that is read here. */
export interface Report {
  lighthouseVersion: string
  categories: Record<string, { title: string; score: number }>
  audits: Record<string, { numericValue?: number; details?: { items?: Item[] } }>
}

/** A line of the audits `network-requests` and `long-tasks`. */
interface Item {
  url: string
  resourceType: string
  /** Bytes on the wire, headers included. */
  transferSize: number
  /** In ms. */
  duration: number
}

/** Lighthouse for phones, installed at its first use. Returns the function that audits a page; undefined if npm fails. */
export function openLighthouse(folder: string, progress: (line: string) => void) {
  const program = install(progress)
  return program && ((url: string) => () => audit(program, url, join(folder, 'report.json')))
}

/** Installs from the lockfile beside this file. Returns the path of the program. */
function install(progress: (line: string) => void): string | undefined {
  const folder = join(root, 'node_modules/.cache/starter-bot-lighthouse')
  const lockfile = 'package/package-lock.json'
  const readLock = (parent: string) => readFileSync(join(parent, lockfile))
  const program = join(folder, 'package/node_modules/lighthouse/cli/index.js')
  // npm writes this record last.
  const isInstalled = existsSync(join(folder, 'package/node_modules/.package-lock.json'))
  if (isInstalled && readLock(folder).equals(readLock(import.meta.dirname))) return program
  progress('installing')
  cpSync(join(import.meta.dirname, 'package'), join(folder, 'package'), { recursive: true })
  const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const shell = process.platform === 'win32'
  const { status } = spawnSync('npm', options, { cwd: join(folder, 'package'), stdio: 'inherit', shell })
  return status === 0 ? program : undefined
}

/** Its own recording sometimes fails ("NO_NAVSTART"). Then there is no figure, and the run is repeated. */
async function audit(program: string, url: string, file: string, tries = 3): Promise<Report> {
  const browser = await findBrowser()
  const options = [
    '--quiet',
    '--output=json',
    `--output-path=${file}`,
    '--only-categories=performance,accessibility,best-practices,seo',
    '--chrome-flags=--headless=new --no-sandbox --disable-gpu',
  ]
  const child = spawn(process.execPath, [program, url, ...options], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...browser.env, CHROME_PATH: browser.executablePath },
  })
  const [code] = await once(child, 'exit')
  if (code === 0) return JSON.parse(readFileSync(file, 'utf8'))
  if (tries > 1) return audit(program, url, file, tries - 1)
  throw new Error('Lighthouse failed; its reason is printed above.')
}
