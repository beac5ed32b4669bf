import { writeFile } from 'node:fs/promises'
import { readDailyCounts } from '#server/statistics/daily-counts.ts'
import { type Call, type Command, jsonOption, Misread } from './command-line/command.ts'
import { withDatabase } from './command-line/owned-database.ts'
import { plainJson } from './command-line/plain-text.ts'
import { wholeNumber } from './command-line/read-words.ts'
import { readCurrentState } from './stats/current-state.ts'
import { counted } from './stats/in-words.ts'
import { printStatistics } from './stats/print-statistics.ts'
import { makeStatistics, periodsOf } from './stats/statistics.ts'
import { statisticsPage } from './stats/statistics-page.ts'

export const statsCommands: Command[] = [
  {
    name: 'stats',
    takes: [],
    does: 'the way of the visitors in the last 28 days or N, and what stands now; also as a page in a new FILE',
    options: {
      days: { value: 'N', does: 'how many days to look back, 28 unless told otherwise' },
      json: jsonOption,
      html: { value: 'FILE', does: 'writes a page for the browser into a new FILE' },
    },
    example: 'stats --days 7 --html data/week.html',
    run: stats,
  },
]

const mostDays = 366

async function stats({ config, options, now, write, writeAside }: Call): Promise<void> {
  const days = wholeNumber(String(options['days'] ?? 28), '--days')
  if (days > mostDays) throw new Misread(`--days must be at most ${mostDays}, not ${days}.`)
  const at = now()
  const statistics = await withDatabase(config, async ({ query }) => {
    const counts = await readDailyCounts(query, periodsOf(days, at).before.from)
    return makeStatistics(counts, await readCurrentState(query, at), days, at)
  })
  const file = options['html']
  if (typeof file === 'string') {
    await writeFile(file, statisticsPage(statistics), { flag: 'wx', mode: 0o600 })
    writeAside(`The statistics of ${counted(days, 'day')} were written to ${file}\n`)
  }
  if (options['json']) await write(plainJson(statistics))
  else if (file === undefined) await write(printStatistics(statistics))
}
