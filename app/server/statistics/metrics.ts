export type SignUpOutcome = 'registered' | 'already-registered' | 'refused' | 'invalid' | 'unavailable'
export type Limit = 'network' | 'address' | 'domain' | 'site'
export type DeliveryOutcome = 'sent' | 'postponed' | 'failed'

const sendSecondsBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** What happened since the start. */
export interface Metrics {
  signUps: Record<SignUpOutcome, number>
  limits: Record<Limit, number>
  deliveries: Record<DeliveryOutcome, number>
  /** Tries to store an outcome that the database did not take. */
  recordFailures: number
  /** How long sending took: for each bucket how many took no longer. */
  sendBuckets: number[]
  sendSeconds: number
}

export function createMetrics(): Metrics {
  return {
    signUps: { registered: 0, 'already-registered': 0, refused: 0, invalid: 0, unavailable: 0 },
    limits: { network: 0, address: 0, domain: 0, site: 0 },
    deliveries: { sent: 0, postponed: 0, failed: 0 },
    recordFailures: 0,
    sendBuckets: sendSecondsBuckets.map(() => 0),
    sendSeconds: 0,
  }
}

/** A mail was sent, which took so long. */
export function addSendTime(metrics: Metrics, seconds: number): void {
  metrics.sendSeconds += seconds
  sendSecondsBuckets.forEach((most, index) => void (seconds <= most && (metrics.sendBuckets[index]! += 1)))
}

/** In Prometheus' text format. */
export function metricsText(metrics: Metrics, gauges: Record<string, number>): string {
  const name = 'starter_bot_send_duration_seconds'
  return [
    ...counter('sign_ups_total', 'outcome', metrics.signUps),
    ...counter('limits_hit_total', 'limit', metrics.limits),
    ...counter('deliveries_total', 'outcome', metrics.deliveries),
    '# TYPE starter_bot_delivery_record_failures_total counter',
    `starter_bot_delivery_record_failures_total ${metrics.recordFailures}`,
    `# TYPE ${name} histogram`,
    ...sendSecondsBuckets.map((most, index) => `${name}_bucket{le="${most}"} ${metrics.sendBuckets[index]}`),
    `${name}_bucket{le="+Inf"} ${metrics.deliveries.sent}`,
    `${name}_sum ${metrics.sendSeconds}`,
    `${name}_count ${metrics.deliveries.sent}`,
    ...Object.entries(gauges).flatMap(([gauge, value]) => [
      `# TYPE starter_bot_${gauge} gauge`,
      `starter_bot_${gauge} ${value}`,
    ]),
    '',
  ].join('\n')
}

function counter(name: string, label: string, counts: Record<string, number>): string[] {
  const lines = Object.entries(counts).map(
    ([value, count]) => `starter_bot_${name}{${label}="${value}"} ${count}`,
  )
  return [`# TYPE starter_bot_${name} counter`, ...lines]
}
