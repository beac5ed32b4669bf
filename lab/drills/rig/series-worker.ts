// Delivers what is due at a moment of the simulated three weeks, until it is killed: see
// ../series.ts.
import { deliverOnce } from '#rigs/owner/three-weeks.ts'

const [url = '', now = ''] = process.argv.slice(2)
await deliverOnce(url, Number(now), (mail) => {
  return new Promise((resolve) => process.send?.(mail, () => resolve()))
})
process.disconnect?.()
