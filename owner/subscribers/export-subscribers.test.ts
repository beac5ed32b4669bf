import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { brand } from '#content/brand.ts'
import type { Database } from '#server/database/database.ts'
import { enrol } from '#server/subscribers/subscribers.ts'
import { openOwnerTerminal, ownerNow } from '#rigs/owner/owner-terminal.ts'
import { toolFormats, type ToolName, toolNames } from './export-subscribers.ts'

const time = '2026-01-02T03:04:05.000Z' // ownerNow
const tags = `${brand.name}, news_letter`

/** The record of a subscriber, with the columns of the example in each tool's guide. */
const documented: Record<ToolName, Record<string, string>> = {
  // "A column for your subscribers' Tags, with each Tag separated by a comma", "header rows for each column"
  kit: { email: 'ada@example.com', tags },
  // "The only field Mailchimp requires is email address": its own exports call it so
  mailchimp: { 'Email Address': 'ada@example.com', Tags: tags },
  // "four different columns. They represent the fields for Email, Name, Company, and Country"
  mailerlite: { Email: 'ada@example.com' },
  // "standard column names (like email, name, tags)"
  buttondown: { email: 'ada@example.com', tags },
  // email,name,attributes
  // user1@mail.com,"User One","{""age"": 42, ""planet"": ""Mars""}"
  listmonk: {
    email: 'ada@example.com',
    name: '',
    attributes: `{"signed_up_at":"${time}","form":"hero","campaign":"news_letter","language":null}`,
  },
  // "Labels need to be in quotes and comma separated", "Date format ISO 8601: 2019-10-30T14:52:08.000Z"
  ghost: {
    email: 'ada@example.com',
    name: '',
    note: '',
    subscribed_to_emails: 'true',
    stripe_customer_id: '',
    complimentary_plan: 'false',
    labels: tags,
    created_at: time,
  },
  // "the header fields use the same names as the subscriber tags and custom fields"
  beehiiv: { email: 'ada@example.com', signed_up_at: time, campaign: 'news_letter' },
}

test.each(toolNames)(
  'an export for %s has the documented columns, and the others with --all only',
  async (tool) => {
    const { owner } = await openListWithConsent()
    const { code, printed, aside } = await owner('subscribers', 'export', '--for', tool)
    expect(code).toBe(0)
    expect(parse(printed, { columns: true })).toEqual([documented[tool]])
    expect(aside).toContain(toolFormats[tool].guide)
    const { printed: all } = await owner('subscribers', 'export', '--for', tool, '--all')
    const records: Record<string, string>[] = parse(all, { columns: true })
    expect(records.map((one) => Object.values(one)[0])).toEqual(['ada@example.com', 'bob@example.com'])
    if (tool === 'ghost')
      expect(records[1]).toMatchObject({ subscribed_to_emails: 'false', labels: brand.name })
  },
)

test.each([
  [['--for', 'outlook'], 'Allowed choices are kit, mailchimp'],
  [['--for', 'kit', '--json'], "cannot be used with option '--json'"],
  [['--all'], '--all goes with --for'],
])('export %j is a usage error', async (words, why) => {
  const { owner } = await openOwnerTerminal()
  const { code, printed, aside } = await owner('subscribers', 'export', ...words)
  expect({ code, printed }).toEqual({ code: 2, printed: '' })
  expect(aside).toContain(why)
})

/** Ada asked for news, Bob did not. */
async function openListWithConsent() {
  const { database, owner } = await openOwnerTerminal()
  await put(database, 'ada@example.com', { form: 'hero', campaign: 'news_letter' })
  await put(database, 'bob@example.com', { campaign: 'none' })
  await database.query
    .updateTable('subscribers')
    .set({ announcements_agreed_at: ownerNow })
    .where('identity', '=', 'ada@example.com')
    .execute()
  return { owner }
}

function put({ query }: Database, email: string, attribution: { form?: string; campaign?: string }) {
  return enrol(query, [{ identity: email, address: email, abuse_key: null, ...attribution }], ownerNow)
}
