import type { Bench } from '../main.ts'
import type { PartReport } from '../report.ts'
export const benchLighthouse = async (_: Bench): Promise<PartReport> => ({
  title: 'lighthouse',
  notes: [],
  rows: [],
})
