import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { openOwnerTerminal, subscribe } from '#rigs/owner/owner-terminal.ts'
import { countByFault } from './delivery-figures.ts'

test('faults of the same number stand in the order of their mails', async () => {
  const { database } = await openOwnerTerminal()
  for (const fault of ['timed out', 'smtp 451', 'smtp 452', 'smtp 452']) {
    const id = await subscribe(database, `${fault.replace(' ', '-')}@example.com`, 'failed')
    await database.transaction((transaction) =>
      transaction.run(sql`update deliveries set last_fault = ${fault} where id = ${id}`),
    )
  }
  const counted = await countByFault(database, sql`d.state = 'failed'`)
  expect(counted.map(({ fault, count }) => `${count} ${fault}`)).toEqual([
    '2 smtp 452',
    '1 timed out',
    '1 smtp 451',
  ])
})
