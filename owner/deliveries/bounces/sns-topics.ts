import { type Connection, inTransaction, lockNames } from '#server/database/database.ts'
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
export function keepSubscription(query: Connection, topic: string, url: string, now: number): Promise<void> {
  const newest = { topic, url, since: new Date(now).toISOString() }
  return changeTopics(query, topic, ({ waiting }) => ({ waiting: [...waiting, newest].slice(-maxWaiting) }))
}

export function markConfirmed(query: Connection, topic: string): Promise<void> {
  return changeTopics(query, topic, ({ confirmed }) => ({ confirmed: [...new Set([...confirmed, topic])] }))
}

type Change = (topics: SnsTopics) => Partial<SnsTopics>

/** In one transaction, because strangers may subscribe during a confirmation. `topic` waits no longer. */
function changeTopics(query: Connection, topic: string, change: Change): Promise<void> {
  return inTransaction(query, async (transaction) => {
    await lockNames(transaction, [settingNames.snsTopics])
    const { confirmed, waiting } = await readTopics(transaction)
    const topics = { confirmed, waiting: waiting.filter((one) => one.topic !== topic) }
    await writeSetting(transaction, settingNames.snsTopics, JSON.stringify({ ...topics, ...change(topics) }))
  })
}
