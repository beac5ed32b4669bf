// `npm run bench [-- PART …] [--beside DIR] [--quick]`: figures of this checkout as ratios in one
// run, printed as a table. With `--beside` the parts sign-ups, first-paint and start measure
// another checkout, installed and built, in turn with this one. `--quick`: tiny runs, which show
// that the bench works, not how fast anything is.
import { mkdirSync, rmSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildIfStale } from '#build/build-if-stale.ts'
import { root } from '#rigs/product.ts'
import type { Part } from './rig/bench.ts'
import { benchAlerts } from './alerts.ts'
import { benchFirstPaint } from './first-paint.ts'
import { benchLengths } from './lengths.ts'
import { benchList } from './list.ts'
import { benchPages } from './pages.ts'
import { benchPublish } from './publish.ts'
import { type Row, rowsAsText } from './rig/rounds.ts'
import { benchSignUps, benchSignUpsWithMail } from './sign-ups.ts'
import { benchStart } from './start.ts'

const parts: Record<string, Part> = {
  'sign-ups': benchSignUps,
  'sign-ups-with-mail': benchSignUpsWithMail,
  pages: benchPages,
  alerts: benchAlerts,
  publish: benchPublish,
  'first-paint': benchFirstPaint,
  lengths: benchLengths,
  start: benchStart,
  list: benchList,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { beside: { type: 'string' }, quick: { type: 'boolean', default: false } },
})
const unknown = positionals.filter((name) => !Object.hasOwn(parts, name))
if (unknown.length > 0) {
  console.error(`No such part: ${unknown.join(', ')}. There are ${Object.keys(parts).join(', ')}.`)
  process.exit(2)
}
const beside = values.beside === undefined ? {} : { beside: resolve(values.beside) }

// Processes that a bench has started end with it, see rigs/product.ts.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => process.exit(1))
}
process.setMaxListeners(100)

const folder = join(root, `node_modules/.cache/starter-bot-bench-${process.pid}`)
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

await buildIfStale()
console.log(
  `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}`,
)
console.log(
  '| Part | What | Ours | Against | Ratio or figure | Goal | |\n|---|---|---|---|---|---|---|',
)
for (const [name, bench] of Object.entries(parts)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  const own = join(folder, name)
  mkdirSync(own, { recursive: true })
  const print = (rows: Row[]) => {
    process.stderr.write(' '.repeat(60) + '\r')
    for (const line of rowsAsText(name, rows)) console.log(line)
  }
  print(await bench({ quick: values.quick, folder: own, print, ...beside }))
}
process.exit()
