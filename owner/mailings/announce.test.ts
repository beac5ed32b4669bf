import sql from 'sql-template-tag'
import { beforeEach, describe, expect, test } from 'vitest'
import { permanent } from '#rigs/mail/programmable-mailer.ts'
import { makeMailingList, type MailingList } from '#rigs/owner/mailing-list.ts'
import { queueAnnouncement } from '#rigs/server/queue-announcement.ts'
import { shortTemplate } from '#rigs/server/queue-mails.ts'
import { dayMs } from '#server/database/clock.ts'
import { readAudit } from '#owner/acts/audit.ts'
import { changeAnnouncement, sendTest, startAnnouncement } from './announce.ts'
import type { AnnouncementOrder } from './announcements.ts'
import { readDrafts } from './letters/drafts.ts'
import { readProgress } from './progress.ts'
import { releaseMail } from './release.ts'

const minuteMs = 60_000
const picture = '![](/pictures/chart.png)'

let list: MailingList
beforeEach(async () => {
  list = await makeMailingList({ LIMIT_SITE_MAILS_PER_HOUR: 'off' })
})

describe('an order', () => {
  test('of a letter with a picture without a description is refused', async () => {
    await expect(start({ words: picture })).rejects.toThrow('A picture has no description')
  })

  test('of a version may have any words: they are no Markdown', async () => {
    expect(await start({ kind: 'version', words: picture })).toBe(true)
  })

  test.each([
    { when: 'in less than a minute', aheadMs: minuteMs - 1, why: 'less than a minute away' },
    { when: 'in more than a year', aheadMs: 366 * dayMs + 1, why: 'more than a year away' },
  ])('for a time $when is refused', async ({ aheadMs, why }) => {
    await expect(start({ sendAt: list.start + aheadMs })).rejects.toThrow(why)
  })

  test.each([
    { when: 'in a minute', aheadMs: minuteMs },
    { when: 'in a year', aheadMs: 366 * dayMs },
  ])('for a time $when is taken', async ({ aheadMs }) => {
    expect(await start({ sendAt: list.start + aheadMs })).toBe(true)
  })
})

describe('a second order of the same name', () => {
  test('for other campaigns is refused while the first goes out', async () => {
    await start({ campaigns: ['a'] })
    await expect(start({ campaigns: ['b'] })).rejects.toThrow('is still going out to other people')
  })

  test('for a part of its campaigns is refused while the first goes out', async () => {
    await start({ campaigns: ['a', 'b'] })
    await expect(start({ campaigns: ['b', 'c'] })).rejects.toThrow('is still going out')
  })

  test('for more campaigns widens the first while it goes out', async () => {
    await start({ campaigns: ['a'] })
    expect(await start({ campaigns: ['a', 'b'] })).toBe(true)
  })

  test('for some of its campaigns changes nothing', async () => {
    await start({ campaigns: ['a', 'b'] })
    expect(await start({ campaigns: ['b'] })).toBe(false)
  })

  test('for all campaigns widens one for some', async () => {
    await start({ campaigns: ['a'] })
    expect(await start()).toBe(true)
  })

  test('for other campaigns is taken once the first is done', async () => {
    await start({ campaigns: ['a'], isStartedNow: true })
    await releaseMail(list.context)
    expect(await start({ campaigns: ['b'] })).toBe(true)
  })

  test('is refused if the first was cancelled', async () => {
    await list.signUp(['ada@example.com'], { asked: 'news' })
    await startAndRelease()
    await change('cancel')
    await expect(start()).rejects.toThrow('news was cancelled. Resume it to finish it.')
  })
})

describe('a change', () => {
  test('of an announcement that is not there is refused', async () => {
    await expect(change('pause')).rejects.toThrow('news was not announced.')
  })

  test('of a letter of the series is refused', async () => {
    await list.signUp(['ada@example.com'])
    const subscriber = await list.idOf('ada@example.com')
    const { announcement } = await queueAnnouncement(list.database, {
      subscriber,
      now: list.start,
      kind: 'series',
      afterDays: 1,
    })
    const [row] = await list.database.rows<{ name: string }>(
      sql`select name from announcements where id = ${announcement}`,
    )
    const pausing = changeAnnouncement(list.database, row!.name, 'pause', list.now())
    await expect(pausing).rejects.toThrow(`${row!.name} is a letter of the series.`)
  })

  test('that its state does not allow is refused, with the state', async () => {
    await start()
    await change('pause')
    await expect(change('pause')).rejects.toThrow('news is paused.')
  })

  test('that finishes a cancelled one counts those who have no mail of it yet', async () => {
    await list.signUp(['a@example.com', 'b@example.com'], { asked: 'news' })
    await startAndRelease()
    await list.signUp(['c@example.com', 'd@example.com', 'e@example.com'], { asked: 'news' })
    await change('cancel')
    await change('resume')
    expect(await shown()).toMatchObject({ stillToCome: 3 })
  })

  test('that finishes a cancelled one counts only people of its campaigns', async () => {
    await list.signUp(['a@example.com'], { asked: 'news' })
    await setCampaign('launch')
    await startAndRelease({ campaigns: ['launch'] })
    await list.signUp(['b@example.com'], { asked: 'news' })
    await change('cancel')
    await change('resume')
    expect(await shown()).toMatchObject({ stillToCome: 0 })
  })

  test('that takes a letter back keeps its words as a draft', async () => {
    await start({ words: 'Hello', preview: 'First words' })
    await change('cancel')
    expect(await readDrafts(list.database)).toMatchObject([
      { subject: shortTemplate.subject, preview: 'First words', text: 'Hello' },
    ])
  })

  test('that takes a version back makes no draft', async () => {
    await start({ kind: 'version', words: 'Hello' })
    await change('cancel')
    expect(await readDrafts(list.database)).toEqual([])
  })

  test('that takes back a letter without its words makes no draft', async () => {
    await start()
    await change('cancel')
    expect(await readDrafts(list.database)).toEqual([])
  })

  test('that cancels a letter some have makes no draft', async () => {
    await list.signUp(['a@example.com'], { asked: 'news' })
    await startAndRelease({ words: 'Hello' })
    await change('cancel')
    expect(await readDrafts(list.database)).toEqual([])
  })
})

describe('a test mail', () => {
  const template = { ...shortTemplate, html: '<a href="{kitUrl}">', text: 'Kit: {kitUrl}' }
  const sendTo = (address: string) => sendTest(list.context, template, address)
  const sent = () => list.mailer.attempts.at(-1)!.message

  test('says that it is a test', async () => {
    await sendTo('ada@example.com')
    expect(sent()).toMatchObject({ to: 'ada@example.com', subject: '[Test] Your starter bot' })
  })

  test('has the links of the person with the address', async () => {
    await list.signUp(['ada@example.com'])
    await list.database.transaction((transaction) =>
      transaction.run(sql`update subscribers set token = 'TOKEN'`),
    )
    expect(await sendTo('ada@example.com')).toBe(true)
    expect(sent().text).toBe(`Kit: ${list.config.publicUrl}/kit/TOKEN`)
  })

  test('has links to the home page for somebody on the list who has no page yet', async () => {
    await list.signUp(['ada@example.com'])
    expect(await sendTo('ada@example.com')).toBe(false)
  })

  test('has links to the home page for anybody else', async () => {
    expect(await sendTo('stranger@example.com')).toBe(false)
    expect(sent()).toMatchObject({
      text: `Kit: ${list.config.publicUrl}`,
      html: `<a href="${list.config.publicUrl}">`,
    })
  })

  test('that the mail server refuses is told in words', async () => {
    list.mailer.answer(() => permanent)
    await expect(sendTo('ada@example.com')).rejects.toThrow('The reason is not known.')
    expect(await readAudit(list.database)).toEqual([])
  })

  test('is in the audit, without the address', async () => {
    await sendTo('ada@example.com')
    expect(await readAudit(list.database)).toMatchObject([
      { action: 'Sent a test of an announcement', about: '' },
    ])
  })
})

function start(more: Partial<AnnouncementOrder> = {}): Promise<boolean> {
  const order = { name: 'news', kind: 'letter', to: 'consented', template: shortTemplate } as const
  return startAnnouncement(list.database, { ...order, ...more }, list.now())
}

async function startAndRelease(more: Partial<AnnouncementOrder> = {}): Promise<void> {
  await start({ ...more, isStartedNow: true })
  await releaseMail(list.context)
}

function change(to: 'pause' | 'resume' | 'cancel'): Promise<void> {
  return changeAnnouncement(list.database, 'news', to, list.now())
}

async function shown() {
  return (await readProgress(list.database, list.now(), 'news'))[0]
}

async function setCampaign(campaign: string): Promise<void> {
  await list.database.transaction((transaction) =>
    transaction.run(sql`update subscribers set campaign = ${campaign}`),
  )
}
