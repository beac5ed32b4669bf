import type { Bench } from '../main.ts'
import type { PartReport } from '../report.ts'
export const benchBrowser = async (_: Bench): Promise<PartReport> => ({
  title: 'browser',
  notes: [],
  rows: [],
})
