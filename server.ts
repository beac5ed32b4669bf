import { isMainThread } from 'node:worker_threads'
import type { Config } from '#server/settings/config.ts'
import { readEnvFile } from '#server/settings/env-file.ts'
import { isRelease, program } from '#server/project-files.ts'
import { cannotStart } from '#server/start/cannot-start.ts'
import manifest from './package.json' with { type: 'json' }

const usage = `Usage:
  ${program}                 serve the site
  ${program} owner COMMAND   run an owner's command; "owner help" lists them
  ${program} --version       print the version
  ${program} --help          print this

Settings are read from the environment and from .env in the working directory.`

/**
 * The build bundles this file with all that it imports as dist/server/server.mjs. Threads, and the
 * process that draws, run the same file, and name their part of it: what they do not need is
 * imported where it is used.
 */
const parts = new Map<string, () => Promise<unknown>>([
  ['app/server/database/sqlite/thread.ts', () => import('#server/database/sqlite/thread.ts')],
  ['app/site/renderer-process.ts', () => import('#site/renderer-process.ts')],
  [
    'owner/conditions/check-up/check-up-thread.ts',
    () => import('#owner/conditions/check-up/check-up-thread.ts'),
  ],
  ['owner/site/content/content-thread.ts', () => import('#owner/site/content/content-thread.ts')],
])

/** A stop takes 10 s at most. */
const stopTimeoutMs = 9_500

const part = parts.get(process.argv[2] ?? '')
if (part) await part()
else if (isMainThread) await main(process.argv.slice(2))
else throw new Error(`There is no thread "${process.argv[2]}"`)

async function main([word, ...more]: string[]): Promise<void> {
  if (isRelease) {
    const faults = readEnvFile(process.env) // run.mjs does it in a clone
    if (faults.length > 0) cannotStart(faults)
  }
  if (word === undefined) {
    await serve()
  } else if (word === 'owner') {
    const owner = await import('#owner/start/main.ts')
    await owner.main(more)
  } else if (word === '--version') {
    console.log(manifest.version)
  } else if (word === '--help' || word === '-h') {
    console.log(usage)
  } else {
    console.error(`Unexpected argument "${word}".\n\n${usage}`)
    process.exitCode = 2
  }
}

async function serve(): Promise<void> {
  const { readSettings } = await import('#server/settings/config.ts')
  const read = readSettings(process.env)
  if ('faults' in read) cannotStart(read.faults)
  else await start(read)
}

async function start({ config, hints }: { config: Config; hints: string[] }): Promise<void> {
  for (const hint of hints) console.error(hint)
  process.umask(0o077) // what visitors leave is for this account alone
  const [{ startServer }, { explainFault }, { ownerExtension }] = await Promise.all([
    import('#server/start/start-server.ts'),
    import('#server/start/explain-fault.ts'),
    import('#owner/start/extension.ts'),
  ])
  const starting = startServer(config, ownerExtension).catch((fault) =>
    cannotStart([explainFault(fault, config)]),
  )
  // Registered before the start completes, because mail may already be on its way and the port
  // open.
  let stopping = false
  // A terminal that is closed sends SIGHUP.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stopping) return
      stopping = true
      void starting.then((server) => server.stop()).then(() => process.exit(0))
      // A long read of the owner's goes on in its thread. What was acknowledged is on disk.
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), stopTimeoutMs)
    })
  }
  const server = await starting
  process.stdout.on('error', () => {}) // a full disk or a closed pipe costs lines of the log, not the server
  for (const line of server.startupLines) console.log(line)
}
