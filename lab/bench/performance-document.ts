import { cpus, loadavg, platform, release, totalmem } from 'node:os'
import { asMarkdown, goalsTable, type PartReport } from './report.ts'

/** What docs/performance.md holds. */
export function performanceDocument(reports: readonly PartReport[], quick: boolean): string {
  const sections = reports.flatMap(({ title, notes, tables = [] }) => [
    `## ${title}`,
    notes.map((note) => `- ${note}`).join('\n'),
    ...tables.map((table) => `${table.title}\n\n${asMarkdown(table)}`),
  ])
  return `${['# Performance', ...origin(quick), asMarkdown(goalsTable(reports)), ...sections].join('\n\n')}\n`
}

function origin(quick: boolean): string[] {
  const [cpu] = cpus()
  const machine = `${cpus().length} × ${cpu?.model ?? 'unknown'}, ${(totalmem() / 2 ** 30).toFixed(0)} GB, ${platform()} ${release()}, Node ${process.version}`
  const [lastMinute = 0] = loadavg()
  return [
    `Written by \`npm run bench${quick ? ' -- --quick' : ''}\` on ${new Date().toISOString().slice(0, 10)}.`,
    `Machine: ${machine}. Load average at the end ${lastMinute.toFixed(1)}.`,
    'Each ratio is the median over pairs of runs taken in turn, so it says more than the figures beside it, which are this machine’s.',
    ...(quick ? ['Tiny runs: they show that the bench works, not how fast anything is.'] : []),
  ]
}
