import { existsSync } from 'node:fs'
import { brand } from '#content/brand.ts'
import { type Config, readConfig } from '#server/configuration/config.ts'
import { findPlaceholders } from '#server/configuration/placeholders.ts'
import { isRelease, program, projectRoot } from '#server/configuration/project-files.ts'

// Up to here only what Node 20 has may be imported, so that an older Node gets this sentence.
const [major = 0] = process.versions.node.split('.').map(Number)
const remedy = isRelease ? 'Install it, or put it first in PATH' : 'Start it with npm start'
if (major < 26) stopWith([`needs Node 26 or newer, and this is ${process.version}. ${remedy}`])

const usage = `Usage:
  ${program}                 serve the site
  ${program} owner COMMAND   run an owner's command; "owner help" lists them
  ${program} --version       print the version
  ${program} --help          print this

Settings are read from the environment and from .env in the working directory.`

const [word, ...more] = process.argv.slice(2)
if (isRelease && existsSync('.env')) process.loadEnvFile() // run.mjs does it in a clone
if (word === undefined) await serve()
else if (word === 'owner') await (await import('#owner/command-line/main.ts')).main(more)
else if (word === '--version') console.log(await version())
else if (word === '--help' || word === '-h') console.log(usage)
else {
  console.error(`Unexpected argument "${word}".\n\n${usage}`)
  process.exitCode = 2
}

async function serve(): Promise<void> {
  const read = readConfig(process.env)
  const placeholders = placeholderFaults()
  if ('faults' in read) stopWith([...read.faults, ...placeholders])
  else if (placeholders.length > 0) stopWith(placeholders)
  else await start(read.config)
}

async function start(config: Config): Promise<void> {
  if (!isRelease) await prepareClone()
  process.umask(0o077) // what visitors leave is for this account alone
  const { startServer } = await import('#server/start/start-server.ts')
  const server = await startServer(config).catch(cannotStart)
  process.stdout.on('error', () => {}) // a full disk or a closed pipe costs lines of the log, not the server
  for (const line of server.whereabouts) console.log(line)
  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) return
      stopping = true
      void server.stop().then(() => process.exit(0))
    })
  }
}

async function prepareClone(): Promise<void> {
  const { buildIfStale } = await import('#build/build.ts')
  await buildIfStale()
}

async function version(): Promise<string> {
  const { default: manifest } = await import('./package.json', { with: { type: 'json' } })
  return manifest.version
}

/** No real visitor should read them. */
function placeholderFaults(): string[] {
  if (process.env['NODE_ENV'] !== 'production') return []
  return findPlaceholders(projectRoot).map(({ text, place }) => `"${text}" is still in ${place}`)
}

/** Environment errors (an address in use, no database, a read-only folder) are printed as one line, without a stack trace. */
function cannotStart(fault: unknown): never {
  if (fault instanceof Error && 'code' in fault && fault.message !== '') stopWith([fault.message])
  throw fault
}

function stopWith(faults: string[]): never {
  console.error([`${brand.name} cannot start:`, ...faults.map((fault) => `  - ${fault}`)].join('\n'))
  process.exit(1)
}
