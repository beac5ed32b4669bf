import { startServer } from './start-server.ts'
import { readConfig } from './config.ts'
import { buildIfStale } from '../build.ts'

const [major = 0] = process.versions.node.split('.').map(Number)
if (major < 26) stopWith([`needs Node 26 or newer, this is ${process.version}: start it with npm start`])

const read = readConfig(process.env)
if ('faults' in read) stopWith(read.faults)
else await start(read.config)

async function start(config: Parameters<typeof startServer>[0]): Promise<void> {
  await buildIfStale()
  const server = await startServer(config)
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

function stopWith(faults: string[]): never {
  console.error(['Starter Bot cannot start:', ...faults.map((fault) => `  - ${fault}`)].join('\n'))
  process.exit(1)
}
