import { describe, expect, test } from 'vitest'
import { blameFor, plainWords, type Refusal } from './refusal.ts'

const recipient = 'ana@people.example'
const blame = (said: string, to: Refusal['to'] = 'recipient') => blameFor({ to, said, recipient })

describe('a final refusal takes the person off', () => {
  test('for such a code beside one that says nothing', () => {
    expect(blame('5.0.0 (undefined status); smtp; 550 5.1.1 User unknown')).toBe('person')
    expect(blame('550 5.0.0 User unknown')).toBe('us')
  })

  test.each(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1'])('for its code %s', (code) => {
    for (const said of [
      `550 ${code} No`,
      `554 ${code} Recipient address rejected: Access denied`,
      `550-${code} The account is gone.\n550 ${code} Learn more.`,
      `550 sorry (#${code})`,
      code,
    ]) {
      expect(blame(said), said).toBe('person')
      expect(blame(said, 'data'), said).toBe('person')
    }
  })

  test.each([
    '550 User unknown',
    '550 No such user here',
    '550 No such local user: ana@people.example',
    '550 No such recipient',
    '550 Unknown user',
    '550 unknown user account',
    '553 unknown local-part "ana" in domain "people.example"',
    '550 Unknown recipient <ana@people.example>',
    '550 Invalid recipient <ana@people.example>',
    '550 Mailbox not found',
    '550 Mailbox does not exist.',
    '550 Requested action not taken: mailbox unavailable. User not found',
    '550 <ana@people.example>: Recipient address rejected: User unknown in virtual mailbox table',
    '550 <ana@people.example>: Recipient address rejected: User unknown in relay recipient table',
    '553 sorry, no mailbox here by that name',
    '550 There is no one here by that name',
    '550 no user with that name',
    '550 The email account that you tried to reach does not exist.',
    '550 ana@people.example does not exist',
    '550 <ana@people.example> is not a valid mailbox',
    '550 ana... User unknown',
    "550 User 'ana' is unknown",
    '550 Unknown or illegal alias: ana@people.example',
    '550 Unable to find user',
    '550 Recipient not found',
    '550 Recipient address unknown',
    '550 Account could not be found',
    '554 delivery error: dd This user doesn\u2019t have a yahoo.com account (ana@people.example) [0]',
    '550-The mailbox that you tried to reach\n550 does not exist',
    '550-User unknown\n550 Please check the address',
    '550 <ana@people.example>... User not exist',
    '551 not our customer',
    '550 User ana (ana@people.example) not listed in Domino Directory',
    '554 delivery error: dd Not a valid recipient - atlas315.free.mail.ne1.yahoo.com',
    '550 Message was not accepted -- invalid mailbox. Local mailbox ana@people.example is unavailable: user not found',
  ])('for words at RCPT TO that say that there is no such mailbox, and not later: %s', (said) => {
    expect(blame(said)).toBe('person')
    expect(blame(said, 'data')).toBe('us')
  })
})

/** Each was said of a mail that is fine. */
const refusalsOfUs = [
  '550-Requested action not taken: mailbox unavailable\n550 Failure sending mail. Try again later.',
  '550 Requested action not taken: mailbox unavailable (e.g., mailbox not found, no access, or command rejected for policy reasons)',
  '550 Mailbox unavailable',
  '554 5.2.0 STOREDRV.Submission.Exception:OutboundSpamException; Failed to process message due to a permanent exception',
  '554 5.2.252 SendAsDenied; bot@outlook.example not allowed to send as bot@bot.example',
  '550 Connection frequency limited',
  '550 message rejected',
  '552 Message rejected for spam or virus content',
  '550 User has exceeded outgoing email quota',
  '550 5.4.5 Daily user sending limit exceeded',
  '550 5.7.1 Unauthenticated email is not accepted from this domain: user unknown',
  '550 5.7.26 This mail has been blocked because the sender is unauthenticated.',
  '550 5.7.515 Access denied, sending domain does not meet the required authentication level.',
  '554 Relay access denied',
  '550 relay not permitted',
  '554 5.7.1 <ana@people.example>: Relay access denied',
  "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)",
  '550 5.1.8 <bot@bot.example>: Sender address rejected: Domain not found',
  '550 5.1.7 Bad sender',
  '550 5.1.1 <bot@bot.example>: Sender address rejected: User unknown in local recipient table',
  '550 <bot@bot.example>: Sender address rejected: User unknown',
  '550 Sender verify failed',
  '550 Unknown user name or bad password',
  '550 Recipient address rejected: Access denied',
  '550 Recipient address rejected: rate limit exceeded for unknown user',
  '550 User message rejected for unknown reason',
  '550 5.0.0 Rejected',
  '552 5.2.2 Mailbox full',
  '554 Message rejected',
  '503 5.5.1 Bad sequence of commands',
  '530 Must issue a STARTTLS command first',
  '535 Authentication failed',
  '550 IP 5.1.1.10 is on our list',
  // Codes of a mailbox, for what is about us, or about how much mail comes.
  '550 5.1.1 <ana@people.example> - 198.51.100.225 has sent to too many recipients this hour. IB607',
  '550-5.2.1 The user you are trying to contact is receiving mail at a rate that\n550-5.2.1 prevents additional messages from being delivered.',
  '550 5.2.1 Mailbox unavailable. Your IP address 192.0.2.1 is blacklisted using SPAMHAUS-XBL.',
  '552 5.1.1 Recipient overquota. OFR_417 [417]',
  '550 5.1.1 Undeliverable address: host mx.people.example said: 550 5.7.1 Client host blocked',
  '550 5.1.90 You have reached your daily limit for message recipients',
  // Words about the account of ours.
  '550 Your account is invalid',
  '554 Your account does not exist or has been closed',
  '554 No such account: please check your subscription',
  '550 Unknown smtp user',
  '550 The account you are using to send does not exist',
  '550 Address 192.0.2.1 has invalid reverse DNS: address not valid',
  '554 Free accounts are for test purposes only. Please upgrade or add ana@people.example to your authorized recipients',
  '554 Message rejected: Email address is not verified. The following identities failed the check in region EU-WEST-1: ana@people.example',
  '550-Verification failed for <bot@bot.example>\n550-No Such User Here\n550 Sender verify failed',
  '503-unknown user',
  '550',
  '',
]

test.each(refusalsOfUs)('takes nobody off: %s', (said) => {
  expect(blame(said)).toBe('us')
  expect(blame(said, 'data')).toBe('us')
})

test.each<[string, Refusal['to'], string]>([
  ['450 Try again later', 'recipient', 'person-later'],
  ['451 4.1.1 Try again later', 'recipient', 'person-later'],
  ['452 4.2.2 Mailbox full', 'recipient', 'person-later'],
  ['452 4.2.2 Mailbox full', 'data', 'person-later'],
  ['451 Try again later', 'data', 'us'],
  ['450 4.7.1 You are sending too fast', 'recipient', 'us'],
  ['451 4.3.2 System not accepting messages', 'recipient', 'us'],
  ['451 4.4.1 No answer from host', 'data', 'us'],
  ['450 4.1.8 <bot@bot.example>: Sender address rejected: Domain not found', 'recipient', 'us'],
  ['450 Too many requests', 'recipient', 'us'],
  ['451 Throttled, please slow down', 'recipient', 'us'],
  ['454 Throttling failure: Maximum sending rate exceeded', 'recipient', 'us'],
  ['450 4.2.1 The user is receiving mail too quickly', 'recipient', 'person-later'],
  ['450 4.2.0 Greylisted, see you later', 'recipient', 'person-later'],
  ['421 Too many connections', 'recipient', 'us'],
  ['421 4.2.0 Closing', 'recipient', 'us'],
])('%s to the %s: %s', (said, to, expected) => {
  expect(blame(said, to)).toBe(expected)
})

test('what is answered before a recipient is named is never about a person', () => {
  for (const said of ['550 5.1.1 User unknown', '550 No such user', '450 4.2.0 Later']) {
    expect(blame(said, 'earlier')).toBe('us')
  }
})

test('the words of the same answer about two people read the same', () => {
  const words = (said: string, to: string) => plainWords(said, to)
  expect(
    words('550 5.1.1 <ana@one.example>: User unknown (mx7.one.example)', 'ana@one.example'),
  ).toBe(
    words('550 5.1.1 <Bob.B@two.example>: User unknown (mx1.two.example)', 'bob.b@two.example'),
  )
  expect(words('550-5.1.1 No such user a1-b2.33 - gsmtp', 'ana@one.example')).toBe(
    words('550-5.1.1 No such user c4-d5.66 - gsmtp', 'bob@two.example'),
  )
  expect(words('550 ana: no mailbox', 'ana@one.example')).toBe(
    words('550 bob: no mailbox', 'bob@two.example'),
  )
  expect(words('550-User ana unknown\n550 Bye', 'ana+bot@one.example')).toBe(
    words('550-User bob unknown\n550 Bye', 'bob@two.example'),
  )
  expect(words('550 User unknown', recipient)).not.toBe(words('550 Mailbox full', recipient))
})
