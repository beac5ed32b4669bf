import { expect, test } from 'vitest'
import { campaignNamed, readCampaign } from './campaign.ts'

test.each([
  [undefined, 'none'],
  ['', 'none'],
  ['YouTube', 'youtube'],
  ['Über-uns', 'über-uns'],
  ['U\u0308ber', 'über'],
  ['реклама_2', 'реклама_2'],
  ['ada@example.com', 'other'],
  ['two words', 'other'],
  ['-x', 'other'],
  ['x'.repeat(40), 'x'.repeat(40)],
  ['x'.repeat(41), 'other'],
])('the campaign "%s" of an address is %s', (campaign, read) => {
  expect(readCampaign(campaign)).toBe(read)
})

test.each([
  ['My video: 2', 'my-video-2'],
  ['Über', 'über'],
  [' Früh & spät! ', 'früh-spät'],
  ['--', ''],
  [`${'x'.repeat(39)} y`, 'x'.repeat(39)],
])('a campaign that an owner calls "%s" is named %s, and counts under it', (typed, name) => {
  expect(campaignNamed(typed)).toBe(name)
  expect(readCampaign(name)).toBe(name === '' ? 'none' : name)
})
