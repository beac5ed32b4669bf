import type { Registration } from './sign-up/register-sign-ups.ts'

type SignUpOutcome = Registration['kind'] | 'invalid' | 'unavailable'
type Limit = 'network' | 'address' | 'site'
type DeliveryOutcome = 'sent' | 'postponed' | 'failed'

const sendSecondsBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

export interface Metrics {
  countSignUp(outcome: SignUpOutcome): void
  /** A sign-up was refused by it; for the site: mail was made to wait. */
  countLimit(limit: Limit): void
  /** `ms`: how long the sending took. */
  countDelivery(outcome: DeliveryOutcome, ms?: number): void
  /** In Prometheus' text format; `gauges` are read from the database by the caller. */
  text(gauges: Record<string, number>): string
}

export function createMetrics(): Metrics {
  const signUps: Record<SignUpOutcome, number> = {
    registered: 0,
    'already-registered': 0,
    refused: 0,
    invalid: 0,
    unavailable: 0,
  }
  const limits: Record<Limit, number> = { network: 0, address: 0, site: 0 }
  const deliveries: Record<DeliveryOutcome, number> = { sent: 0, postponed: 0, failed: 0 }
  const buckets = sendSecondsBuckets.map(() => 0)
  let sendSeconds = 0
  return {
    countSignUp: (outcome) => void (signUps[outcome] += 1),
    countLimit: (limit) => void (limits[limit] += 1),
    countDelivery(outcome, ms) {
      deliveries[outcome] += 1
      if (ms === undefined) return
      sendSeconds += ms / 1000
      sendSecondsBuckets.forEach((most, index) => void (ms / 1000 <= most && (buckets[index]! += 1)))
    },
    text(gauges) {
      const name = 'starter_bot_send_duration_seconds'
      return [
        ...counter('sign_ups_total', 'outcome', signUps),
        ...counter('limits_hit_total', 'limit', limits),
        ...counter('deliveries_total', 'outcome', deliveries),
        `# TYPE ${name} histogram`,
        ...sendSecondsBuckets.map((most, index) => `${name}_bucket{le="${most}"} ${buckets[index]}`),
        `${name}_bucket{le="+Inf"} ${deliveries.sent}`,
        `${name}_sum ${sendSeconds}`,
        `${name}_count ${deliveries.sent}`,
        ...Object.entries(gauges).flatMap(([gauge, value]) => [
          `# TYPE starter_bot_${gauge} gauge`,
          `starter_bot_${gauge} ${value}`,
        ]),
        '',
      ].join('\n')
    },
  }
}

function counter(name: string, label: string, counts: Record<string, number>): string[] {
  const lines = Object.entries(counts).map(
    ([value, count]) => `starter_bot_${name}{${label}="${value}"} ${count}`,
  )
  return [`# TYPE starter_bot_${name} counter`, ...lines]
}
