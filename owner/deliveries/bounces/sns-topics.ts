import type { Connection } from '#server/database/database.ts'
import { readSetting, settingNames, writeSetting } from '#server/database/settings.ts'

/** Topics of Amazon SNS. Anybody can sign up our address with a topic of theirs, so the owner decides. */
interface SnsTopics {
  confirmed: string[]
  /** Amazon's link confirms a waiting subscription, for three days. */
  waiting: { topic: string; url: string; since: string }[]
}

const maxWaiting = 5

export async function readTopics(query: Connection): Promise<SnsTopics> {
  const value = await readSetting(query, settingNames.snsTopics)
  return value === undefined ? { confirmed: [], waiting: [] } : JSON.parse(value)
}

/** Keeps the newest. `now`: ms since 1970. */
export async function keepSubscription(query: Connection, topic: string, url: string, now: number) {
  const { confirmed, waiting } = await readTopics(query)
  const others = waiting.filter((one) => one.topic !== topic)
  const newest = { topic, url, since: new Date(now).toISOString() }
  await writeTopics(query, { confirmed, waiting: [...others, newest].slice(-maxWaiting) })
}

export async function markConfirmed(query: Connection, topic: string): Promise<void> {
  const { confirmed, waiting } = await readTopics(query)
  await writeTopics(query, {
    confirmed: [...new Set([...confirmed, topic])],
    waiting: waiting.filter((one) => one.topic !== topic),
  })
}

function writeTopics(query: Connection, topics: SnsTopics): Promise<void> {
  return writeSetting(query, settingNames.snsTopics, JSON.stringify(topics))
}
