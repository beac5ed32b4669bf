/** The figures that Prometheus reads. They count since the start of the process. */
export interface Metrics {
  signUps: Counter<{ outcome: SignUpResult }>
  limitsHit: Counter<{ limit: LimitName }>
  deliveries: Counter<{ outcome: DeliveryResult }>
  recordFailures: { inc(): void }
  /** The time of each attempt to send. */
  sendDuration: { observe(seconds: number): void }
  /** `gauges`: what the caller has read from the database. */
  text(gauges: Record<GaugeName, number>): Promise<string>
}

interface Counter<Labels> {
  inc(labels: Labels): void
}

const signUpResults = [
  'registered',
  'resent',
  'already-registered',
  'refused',
  'invalid',
  'unavailable',
] as const
const limitNames = ['network', 'address', 'domain', 'site'] as const
const deliveryResults = ['sent', 'postponed', 'failed'] as const
const gaugeNames = [
  'deliveries_unsent',
  'deliveries_oldest_unsent_seconds',
  'mail_stuck_seconds',
  'mail_late_seconds',
] as const

export type SignUpResult = (typeof signUpResults)[number]
export type LimitName = (typeof limitNames)[number]
type DeliveryResult = (typeof deliveryResults)[number]
type GaugeName = (typeof gaugeNames)[number]

/** Upper bounds of the buckets, in seconds. */
const buckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** The library is loaded only where somebody reads the metrics. */
export async function openMetrics(): Promise<Metrics> {
  const { default: prometheus } = await import('prom-client')
  const registry = new prometheus.Registry()
  const named = (name: string, help: string) => ({
    name: `starter_bot_${name}`,
    help,
    registers: [registry],
  })
  const signUps = new prometheus.Counter({
    ...named('sign_ups_total', 'Sign-ups.'),
    labelNames: ['outcome'],
  })
  const limitsHit = new prometheus.Counter({
    ...named('limits_hit_total', 'Sign-ups that a limit refused; of the site, mail that waits.'),
    labelNames: ['limit'],
  })
  const deliveries = new prometheus.Counter({
    ...named('deliveries_total', 'Attempts to send a starter mail.'),
    labelNames: ['outcome'],
  })
  // Outcomes that have not happened yet are shown as 0.
  for (const outcome of signUpResults) signUps.inc({ outcome }, 0)
  for (const limit of limitNames) limitsHit.inc({ limit }, 0)
  for (const outcome of deliveryResults) deliveries.inc({ outcome }, 0)
  const failures = named('delivery_record_failures_total', 'Outcomes that were not stored.')
  const duration = named('send_duration_seconds', 'How long sending took.')
  const gauges = gaugeNames.map((name) => new prometheus.Gauge(named(name, 'Of the queue.')))
  return {
    signUps,
    limitsHit,
    deliveries,
    recordFailures: new prometheus.Counter(failures),
    sendDuration: new prometheus.Histogram({ ...duration, buckets }),
    text(values) {
      for (const [index, name] of gaugeNames.entries()) gauges[index]!.set(values[name])
      return registry.metrics()
    },
  }
}
