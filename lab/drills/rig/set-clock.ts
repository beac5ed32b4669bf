// Loaded into the product before all else: its clock is ahead by as many ms as the file says that
// the drill names. Its timers are not.
import { readFileSync } from 'node:fs'

const file = process.env['DRILL_CLOCK'] ?? ''
const now = Date.now.bind(Date)
let aheadMs = 0
setInterval(() => (aheadMs = Number(readFileSync(file, 'utf8'))), 20).unref()
Date.now = () => now() + aheadMs
