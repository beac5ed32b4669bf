import { expect, test } from 'vitest'
import { readSuppressed, type SuppressOptions } from './read-suppressed.ts'

test.each([
  {
    what: 'the recipient, and no address of another column',
    lines: ['sender,recipient,reported to', 'bot@s.example,gone@s.example,kept@s.example'],
    kinds: { 'gone@s.example': 'returned' },
  },
  {
    what: 'a bounce by its type, and not a soft one',
    lines: [
      'Email;Bounce Type;Reason',
      'gone@s.example;HardBounce;"line 1; quoted ""so""',
      'line 2 of kept@s.example"',
      'soft@s.example;SoftBounce;mailbox full',
      'none@s.example;;',
    ],
    kinds: {
      'gone@s.example': 'returned',
      'soft@s.example': 'nothing',
      'none@s.example': 'nothing',
    },
  },
  {
    what: 'a table with a separator and blank lines above its header',
    lines: [
      '\uFEFFsep=\t',
      '',
      '\tEmail\tType',
      '0\tgone@s.example\thard',
      '1\tkept@s.example\tsoft',
    ],
    kinds: { 'gone@s.example': 'returned', 'kept@s.example': 'nothing' },
  },
  {
    what: 'status codes',
    lines: [
      'status,reason,email,created',
      '5.1.1,550 <kept@s.example> unknown,"gone@s.example",1',
      '4.2.2,full,kept@s.example,2',
    ],
    kinds: { 'gone@s.example': 'returned', 'kept@s.example': 'nothing' },
  },
  {
    what: 'two columns, one of which says that it is temporary',
    lines: ['Event,Type,Email', 'bounce,hard,gone@s.example', 'bounce,soft,kept@s.example'],
    kinds: { 'gone@s.example': 'returned', 'kept@s.example': 'nothing' },
  },
  {
    what: 'lines with quotes inside a field, and with too many fields',
    lines: [
      'note;recipient',
      '550 <"no one>: the 5" disk is full";one@s.example;',
      '550;two@s.example',
    ],
    kinds: { 'one@s.example': 'returned', 'two@s.example': 'returned' },
  },
  {
    what: 'Brevo, each with its reason, and nobody for a refusal of ours',
    lines: [
      'email,reason,status',
      'hard@s.example,hardBounce,',
      'spam@s.example,contactFlaggedAsSpam,',
      'left@s.example,unsubscribedViaEmail,',
      'ours@s.example,hardBounce,5.7.515',
      'theirs@s.example,550 message rejected as spam,5.7.26',
    ],
    kinds: {
      'hard@s.example': 'returned',
      'spam@s.example': 'complaint',
      'left@s.example': 'unsubscribed',
      'ours@s.example': 'nothing',
      'theirs@s.example': 'nothing',
    },
  },
  {
    what: 'Amazon',
    lines: [
      'Email address,Suppression reason,Status,Last update time',
      'gone@s.example,BOUNCE,,2026-01-01T00:00:00Z',
      'angry@s.example,COMPLAINT,,2026-01-01T00:00:00Z',
    ],
    kinds: { 'gone@s.example': 'returned', 'angry@s.example': 'complaint' },
  },
  {
    what: 'Mailchimp, with what they said when they left',
    lines: [
      'Email Address,UNSUB_TIME,UNSUB_REASON',
      'left@s.example,2025-01-02 03:04:05,NORMAL',
      'angry@s.example,2025-01-02 03:04:05,SPAM',
    ],
    kinds: { 'left@s.example': 'unsubscribed', 'angry@s.example': 'complaint' },
  },
  {
    what: 'a column of complaints with a yes or a no',
    lines: ['email,Abuse', 'angry@s.example,yes', 'kept@s.example,no'],
    kinds: { 'angry@s.example': 'complaint', 'kept@s.example': 'nothing' },
  },
  {
    what: 'a column of bounces, unless the words of the server beside it say something else',
    lines: [
      'email,Hard bounced,Diagnostic',
      'gone@s.example,1,',
      'kept@s.example,1,421 try again later',
    ],
    kinds: { 'gone@s.example': 'returned', 'kept@s.example': 'nothing' },
  },
  {
    what: 'HubSpot, whose spam filters are no complaints',
    lines: [
      'Email,Email hard bounce reason',
      'gone@s.example,Mailbox does not exist',
      'kept@s.example,Spam',
      'other@s.example,Policy',
    ],
    kinds: {
      'gone@s.example': 'returned',
      'kept@s.example': 'nothing',
      'other@s.example': 'nothing',
    },
  },
  {
    what: 'Postmark and Mailjet, whose blocks are about us',
    lines: [
      'Email,Type,Error related to',
      'kept@s.example,SpamNotification,',
      'held@s.example,blocked,spam',
      'angry@s.example,spam,',
    ],
    kinds: {
      'kept@s.example': 'nothing',
      'held@s.example': 'nothing',
      'angry@s.example': 'complaint',
    },
  },
  {
    what: 'SparkPost, Klaviyo and Brevo',
    lines: [
      'recipient,source,Suppression Reason,Blocklist reason',
      'angry@s.example,Spam Complaint,,',
      'left@s.example,List Unsubscribe,,',
      'asked@s.example,,USER_SUPPRESSED,',
      'gone@s.example,,,hardBounce',
    ],
    kinds: {
      'angry@s.example': 'complaint',
      'left@s.example': 'unsubscribed',
      'asked@s.example': 'unsubscribed',
      'gone@s.example': 'returned',
    },
  },
  {
    what: "Mailchimp's table of cleaned people",
    lines: [
      'Email Address,CLEAN_TIME,CLEAN_CAMPAIGN_TITLE',
      'gone@s.example,2025-01-02 03:04:05,May',
    ],
    kinds: { 'gone@s.example': 'returned' },
  },
  {
    what: 'the whole list of another tool, of whom only some have left',
    lines: [
      'email,status,Do not contact?',
      'ada@s.example,active,0',
      'left@s.example,unsubscribed,0',
      'asked@s.example,active,1',
      'gone@s.example,cleaned,0',
      'listed@s.example,blocklisted,0',
      'new@s.example,pending,0',
    ],
    kinds: {
      'ada@s.example': 'nothing',
      'left@s.example': 'unsubscribed',
      'asked@s.example': 'unsubscribed',
      'gone@s.example': 'returned',
      'listed@s.example': 'unsubscribed',
      'new@s.example': 'nothing',
    },
  },
  {
    what: 'HubSpot',
    lines: ['Email,Unsubscribed from all email', 'ada@s.example,false', 'left@s.example,true'],
    kinds: { 'ada@s.example': 'nothing', 'left@s.example': 'unsubscribed' },
  },
  {
    what: 'a list of addresses, without a reason',
    lines: ['email,name', 'left@s.example,Left'],
    kinds: { 'left@s.example': 'unsubscribed' },
  },
])('of $what it is read who comes off, and why', async ({ lines, kinds }) => {
  expect(await read(lines)).toEqual(kinds)
})

test('the owner may name the column of addresses, and the reason of all', async () => {
  const lines = ['Who,reason', 'ada@s.example,soft', 'ben@s.example,']
  const options = { addressColumn: 'Who', reason: 'complaint' } as const
  expect(await read(lines, options)).toEqual({
    'ada@s.example': 'complaint',
    'ben@s.example': 'complaint',
  })
  await expect(read(lines, { addressColumn: 'x' })).rejects.toThrow('There is no column "x".')
})

test.each([
  [['From;Diagnosis', 'bot@s.example;gone@s.example'], '"From", "Diagnosis"'],
  [['gone@s.example', 'kept@s.example'], '"gone@s.example"'],
  [[''], 'none'],
])(
  'a table without a column of addresses is refused, and its columns are named: %j',
  async (lines, columns) => {
    await expect(read(lines)).rejects.toThrow(
      `No column has the addresses. The columns are: ${columns}. ` +
        'The first line must name the columns, one of them "email". Nobody was taken off the list.',
    )
  },
)

async function read(lines: readonly string[], options: SuppressOptions = {}) {
  const reports = await readSuppressed(Buffer.from(lines.join('\r\n')), options)
  return Object.fromEntries(reports.map(({ identity, kind }) => [identity, kind]))
}
