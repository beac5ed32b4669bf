/** Upper bounds of the buckets, in seconds. Each bucket counts every mail up to its bound. */
const sendDurations = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, Infinity]

/** The events since the start of the process. */
export interface Totals {
  signUps: Record<SignUpResult, number>
  limits: Record<LimitName, number>
  deliveries: Record<DeliveryResult, number>
  /** How long sending took. */
  durations: {
    seconds: number
    /** Mails by the bound of a bucket. */
    mails: Map<number, number>
  }
  recordFailures: number
}

export type SignUpResult =
  'registered' | 'resent' | 'already-registered' | 'refused' | 'invalid' | 'unavailable'

export type LimitName = 'network' | 'address' | 'domain' | 'site'

type DeliveryResult = 'sent' | 'postponed' | 'failed'

export function createTotals(): Totals {
  return {
    signUps: {
      registered: 0,
      resent: 0,
      'already-registered': 0,
      refused: 0,
      invalid: 0,
      unavailable: 0,
    },
    limits: { network: 0, address: 0, domain: 0, site: 0 },
    deliveries: { sent: 0, postponed: 0, failed: 0 },
    durations: { seconds: 0, mails: new Map(sendDurations.map((bound) => [bound, 0])) },
    recordFailures: 0,
  }
}

export function addDuration({ durations }: Totals, seconds: number): void {
  durations.seconds += seconds
  for (const [bound, mails] of durations.mails) {
    if (seconds <= bound) durations.mails.set(bound, mails + 1)
  }
}

/** In Prometheus' text format. */
export function metricsText(totals: Totals, gauges: Record<string, number>): string {
  return [
    ...counter('sign_ups_total', 'outcome', totals.signUps),
    ...counter('limits_hit_total', 'limit', totals.limits),
    ...counter('deliveries_total', 'outcome', totals.deliveries),
    ...single('counter', 'delivery_record_failures_total', totals.recordFailures),
    ...histogram('send_duration_seconds', totals.durations),
    ...Object.entries(gauges).flatMap(([name, value]) => single('gauge', name, value)),
    '',
  ].join('\n')
}

/** `values`: by the value of `label`. */
function counter(name: string, label: string, values: Record<string, number>): string[] {
  const samples = Object.entries(values).map(
    ([value, count]) => `starter_bot_${name}{${label}="${value}"} ${count}`,
  )
  return [`# TYPE starter_bot_${name} counter`, ...samples]
}

function single(type: 'counter' | 'gauge', name: string, value: number): string[] {
  return [`# TYPE starter_bot_${name} ${type}`, `starter_bot_${name} ${value}`]
}

function histogram(name: string, { seconds, mails }: Totals['durations']): string[] {
  const buckets = Array.from(mails, ([bound, count]) => {
    const label = bound === Infinity ? '+Inf' : String(bound)
    return `starter_bot_${name}_bucket{le="${label}"} ${count}`
  })
  return [
    `# TYPE starter_bot_${name} histogram`,
    ...buckets,
    `starter_bot_${name}_sum ${seconds}`,
    `starter_bot_${name}_count ${mails.get(Infinity)}`,
  ]
}
