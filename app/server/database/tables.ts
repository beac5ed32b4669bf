import type { Generated } from 'kysely'
import type { CountedEvent } from '../statistics/daily-counts.ts'

/** The columns, as docs/architecture.md and the migrations name them. Times are milliseconds since 1970. */
export interface Tables {
  subscribers: {
    id: Generated<number>
    identity: string
    address: string
    abuse_key: string | null
    token: string | null
    state: 'active' | 'unsubscribed' | 'undeliverable'
    signed_up_at: number
    last_mailed_at: number
    opened_at: number | null
  }
  mail_templates: { hash: string; content: string; held_until: number | null }
  deliveries: {
    id: Generated<number>
    subscriber: number
    message_id: string
    template: string
    state: 'queued' | 'sending' | 'sent' | 'failed' | 'cancelled'
    due_at: number
    queued_at: number
    finished_at: number | null
    worker: string | null
    failures: Generated<number>
    last_fault: string | null
  }
  limit_windows: { name: string; used: number; ends_at: number }
  daily_counts: { day: string; event: CountedEvent; detail: string; count: number }
  settings: { name: string; value: string }
}
