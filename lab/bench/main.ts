// `npm run bench`: every part, the table, and docs/performance.md. `npm run bench -- NAME…` runs only those;
// `--quick` makes tiny runs, to see that the bench works.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildIfStale } from '#build/build.ts'
import { root } from '#rigs/product.ts'
import type { Bench } from './bench.ts'
import { benchBrowser } from './browser/browser.ts'
import { asMarkdown, goalsTable, type PartReport, performanceDocument } from './report.ts'
import { benchDelivery } from './server/delivery/delivery.ts'
import { benchPages } from './server/pages/pages.ts'
import { benchSignUpsOnPostgres } from './server/sign-ups/sign-ups-on-postgres.ts'
import { benchSignUpsWithMail } from './server/sign-ups/sign-ups-with-mail.ts'
import { benchSignUpsWithReceipts } from './server/sign-ups/sign-ups-with-receipts.ts'
import { benchSignUps } from './server/sign-ups/sign-ups.ts'
import { benchStart } from './server/start.ts'

const parts: Record<string, (bench: Bench) => Promise<PartReport>> = {
  'sign-ups': benchSignUps,
  'sign-ups-with-mail': benchSignUpsWithMail,
  receipts: benchSignUpsWithReceipts,
  'sign-ups-on-postgres': benchSignUpsOnPostgres,
  pages: benchPages,
  delivery: benchDelivery,
  start: benchStart,
  browser: benchBrowser,
}

const asked = process.argv.slice(2).filter((argument) => argument !== '--quick')
const quick = process.argv.includes('--quick')
const unknown = asked.filter((name) => !(name in parts))
if (unknown.length > 0) {
  console.error(`No such part: ${unknown.join(', ')}. There are ${Object.keys(parts).join(', ')}.`)
  process.exit(1)
}

// Processes that a bench has started end with it, see rigs/product.ts.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const folder = join(root, `node_modules/.cache/starter-bot-bench-${process.pid}`)
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

await buildIfStale()
const reports: PartReport[] = []
for (const [name, bench] of Object.entries(parts)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  const own = join(folder, name)
  mkdirSync(own, { recursive: true })
  const progress = (line: string) => void process.stderr.write(`${name}: ${line}\n`)
  const report = await bench({ quick, folder: own, progress })
  reports.push(report)
  process.stderr.write(`${asMarkdown(goalsTable([report]))}\n\n`)
}
const text = performanceDocument(reports, quick)
console.log(text)
// A partial or quick run is not recorded.
if (asked.length === 0 && !quick) writeFileSync(join(root, 'docs/performance.md'), text)
