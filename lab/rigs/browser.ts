import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const quiet = [
  '--no-sandbox', // tests run as root in containers, where Chromium's sandbox cannot start
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A process of its own for each page costs a fifth of a second.
  '--renderer-process-limit=1',
]

/** The browser at CHROME_PATH, else the one from npm (Linux x64), else an installed one. */
export async function launchBrowser(): Promise<Browser> {
  const chosen = process.env['CHROME_PATH']
  if (chosen === undefined && canBringBrowser) return launchBroughtBrowser()
  const path =
    chosen ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((one) => existsSync(one))
  if (path !== undefined) return chromium.launch({ executablePath: path, args: quiet })
  return chromium.launch({
    channel: process.platform === 'win32' ? 'msedge' : 'chrome',
    args: quiet,
  })
}

/** The browser from npm has one version and one set of fonts, so its pictures can be compared. */
export async function launchBroughtBrowser(): Promise<Browser> {
  const folder = await broughtBrowser()
  const libraries = {
    LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
    FONTCONFIG_PATH: join(folder, 'fonts'),
  }
  const env = { ...process.env, ...libraries }
  return chromium.launch({ executablePath: join(folder, 'chromium'), env, args: quiet })
}

export const canBringBrowser = process.platform === 'linux' && process.arch === 'x64'

/**
 * Unpacks @sparticuz/chromium once. In the system's temporary folder it would take any file of the
 * right name for a complete one, so it gets a new folder, which is renamed when it is complete.
 */
async function broughtBrowser(): Promise<string> {
  const cache = join(import.meta.dirname, '../../node_modules/.cache')
  const folder = join(cache, 'starter-bot-chromium')
  if (existsSync(folder)) return folder
  const unpacking = `${folder}.${process.pid}`
  await mkdir(unpacking, { recursive: true })
  const before = { ...process.env }
  // VERCEL: also unpack the system libraries that a bare machine lacks.
  Object.assign(process.env, { TMPDIR: unpacking, VERCEL: '1' })
  try {
    const { default: packed } = await import('@sparticuz/chromium')
    await packed.executablePath()
  } finally {
    for (const name of ['TMPDIR', 'VERCEL', 'LD_LIBRARY_PATH', 'FONTCONFIG_PATH']) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
  }
  await pointFontsAtTheirFolder(join(unpacking, 'fonts/fonts.conf'))
  await rename(unpacking, folder)
  return folder
}

/**
 * Points fontconfig at the unpacked fonts, beside its own file: it does not look there, and a
 * machine without fonts shows blank pages. The folder may move with the clone.
 */
async function pointFontsAtTheirFolder(configuration: string): Promise<void> {
  const text = await readFile(configuration, 'utf8')
  await writeFile(
    configuration,
    text.replaceAll('<dir>/tmp/fonts</dir>', '<dir prefix="relative">.</dir>'),
  )
}
