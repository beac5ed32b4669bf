import { expect, test } from 'vitest'
import { openTemporaryDatabase } from '#rigs/database/temporary-database.ts'
import { keepSubscription, markConfirmed, readTopics } from './sns-topics.ts'

test('a topic that is confirmed while others subscribe stays confirmed', async () => {
  const { query } = await openTemporaryDatabase()
  const subscribe = (topic: string) => keepSubscription(query, topic, 'https://sns.example/', 0)
  await subscribe('ours')
  await Promise.all([subscribe('foreign'), markConfirmed(query, 'ours'), subscribe('another')])
  const { confirmed, waiting } = await readTopics(query)
  expect(confirmed).toEqual(['ours'])
  expect(waiting.map(({ topic }) => topic).toSorted()).toEqual(['another', 'foreign'])
})
