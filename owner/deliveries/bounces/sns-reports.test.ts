import { sign } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { selfSignedCertificate } from '#rigs/mail/self-signed-certificate.ts'
import { ownerOf } from '#rigs/owner/owner-terminal.ts'
import { countsIn, newSubscriber, startTestApp, type TestApp } from '#rigs/server/test-app.ts'
import { bounceHookPath } from './bounce-hook.ts'

const token = 'a-token-of-22-characters'
const ourTopic = 'arn:aws:sns:eu-west-1:123456789012:bounces'
const amazon = await selfSignedCertificate()
const host = 'https://sns.eu-west-1.amazonaws.com'

let app: TestApp
/** The requests to Amazon's hosts. */
let asked: string[] = []
let certificateNumber = 0

beforeAll(async () => {
  app = await startTestApp({ config: { bounceToken: token } })
})
afterAll(() => app.stop())

/** Amazon, as far as we ask it; everything else is fetched as usual. */
beforeEach(() => {
  asked = []
  certificateNumber += 1
  const realFetch = globalThis.fetch
  vi.stubGlobal('fetch', async (address: string, options?: RequestInit) => {
    if (address.startsWith(app.url)) return realFetch(address, options)
    asked.push(address)
    if (address.endsWith('.pem') && !address.includes('missing')) return new Response(amazon.cert)
    return new Response('', { status: address.includes('ConfirmSubscription') ? 200 : 404 })
  })
})

describe('a subscription', () => {
  test('waits until the owner confirms it by a command, and only then do its reports count', async () => {
    const topic = 'arn:aws:sns:eu-west-1:123456789012:new'
    const { address, state } = await newSubscriber(app)
    expect((await tell(subscription(topic))).status).toBe(200)
    expect(asked.filter((one) => one.includes('ConfirmSubscription'))).toEqual([])
    expect((await tell(notification(topic, bounceOf(address)))).status).toBe(403)
    expect(await state()).toBe('active')

    const owner = ownerOf(app.databaseUrl)
    expect((await owner('bounces', 'confirm')).printed).toContain(`  ${topic}\n`)
    expect((await owner('bounces', 'confirm', topic)).printed).toMatch(/^Confirmed\./)
    expect(asked.filter((one) => one.includes('ConfirmSubscription'))).toHaveLength(1)
    expect((await owner('bounces', 'confirm')).printed).toContain(`confirmed  ${topic}\n`)

    expect((await tell(notification(topic, bounceOf(address)))).status).toBe(200)
    expect(await state()).toBe('undeliverable')
    const foreign = notification('arn:aws:sns:eu-west-1:999999999999:theirs', bounceOf(address))
    expect((await tell(foreign)).status).toBe(403)
  })

  test('that does not wait, or that Amazon does not confirm, is not confirmed', async () => {
    const owner = ownerOf(app.databaseUrl)
    const unknown = 'arn:aws:sns:eu-west-1:123456789012:unknown'
    expect(await owner('bounces', 'confirm', unknown)).toMatchObject({
      code: 1,
      aside: expect.stringMatching(/^No subscription of .* waits/),
    })
    await tell(signed({ ...subscription(unknown), SubscribeURL: `${host}/?Action=Expired` }))
    expect(await owner('bounces', 'confirm', unknown)).toMatchObject({
      code: 1,
      aside: expect.stringContaining('Amazon did not confirm it (404)'),
    })
    expect((await owner('bounces', 'confirm')).printed).not.toContain(`confirmed  ${unknown}`)
  })

  test('whose link leads elsewhere is not kept', async () => {
    const topic = 'arn:aws:sns:eu-west-1:123456789012:elsewhere'
    await tell(signed({ ...subscription(topic), SubscribeURL: 'https://evil.example/?ConfirmSubscription' }))
    expect((await ownerOf(app.databaseUrl)('bounces', 'confirm')).printed).not.toContain(topic)
  })
})

describe('a report of Amazon SES', () => {
  test.each<[string, (address: string) => object, string]>([
    ['of a permanent bounce takes the address off', bounceOf, 'undeliverable'],
    [
      'of event publishing as well',
      (one) => bounceOf(one, { notificationType: undefined, eventType: 'Bounce' }),
      'undeliverable',
    ],
    ['of a complaint takes the address off', complaintOf, 'undeliverable'],
    ['of a complaint marked as not spam changes nothing', (one) => complaintOf(one, 'not-spam'), 'active'],
    ['of a transient bounce changes nothing', (one) => bounceOf(one, {}, 'Transient'), 'active'],
    ['of another type changes nothing', () => ({ notificationType: 'Received' }), 'active'],
  ])('%s', async (_name, report, expected) => {
    await confirmOurTopic()
    const { address, state } = await newSubscriber(app)
    expect((await tell(notification(ourTopic, report(address)))).status).toBe(200)
    expect(await state()).toBe(expected)
  })

  test('of a delivery counts as arrived', async () => {
    await confirmOurTopic()
    const { address } = await newSubscriber(app)
    const delivery = { recipients: [address], timestamp: '2026-11-22T14:59:38.237Z', smtpResponse: '250 OK' }
    await tell(notification(ourTopic, { notificationType: 'Delivery', mail: {}, delivery }))
    expect(await countsIn(app.database)).toMatchObject({ arrived: 1 })
  })

  test('that is not JSON, such as the first message of a topic, is accepted', async () => {
    await confirmOurTopic()
    const first = notification(ourTopic, 'Successfully validated SNS topic for Amazon SES event publishing.')
    expect((await tell(first)).status).toBe(200)
  })
})

describe('a message is refused', () => {
  const from = (address: string) => notification(ourTopic, bounceOf(address))

  test.each<[string, (message: Message) => Message, number]>([
    ['with another text than was signed', (one) => ({ ...one, Message: '{}' }), 403],
    ['with another topic than was signed', (one) => ({ ...one, TopicArn: `${ourTopic}2` }), 403],
    ['without a signature', (one) => ({ ...one, Signature: '' }), 403],
    ['of an unknown signature version', (one) => ({ ...one, SignatureVersion: '3' }), 403],
    ['of an unknown type', (one) => ({ ...one, Type: 'Other' }), 403],
    [
      'while its certificate cannot be had',
      (one) => ({ ...one, SigningCertURL: `${host}/missing.pem` }),
      503,
    ],
  ])('%s', async (_name, change, status) => {
    await confirmOurTopic()
    const { address, state } = await newSubscriber(app)
    expect((await tell(change(from(address)))).status).toBe(status)
    expect(await state()).toBe('active')
  })

  test.each([
    'http://sns.eu-west-1.amazonaws.com/a.pem',
    'https://evil.example/a.pem',
    'https://sns.eu-west-1.amazonaws.com.evil.example/a.pem',
    'https://evilamazonaws.com/a.pem',
    'https://bucket.s3.amazonaws.com/a.pem',
    'https://sns.eu-west-1.amazonaws.com:8443/a.pem',
    'https://sns.eu-west-1.amazonaws.com@evil.example/a.pem',
    'file:///etc/a.pem',
    '',
  ])('with a certificate from "%s", which is not even asked', async (SigningCertURL) => {
    await confirmOurTopic()
    asked = []
    const { address } = await newSubscriber(app)
    expect((await tell({ ...from(address), SigningCertURL })).status).toBe(403)
    expect(asked).toEqual([])
  })

  test('without the token', async () => {
    await confirmOurTopic()
    asked = []
    const { address } = await newSubscriber(app)
    const answer = await tell(from(address), 'Basic bm9ib2R5Om5vdGhpbmc=')
    // Amazon sends the name and password of the address only after this.
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="bounces"'])
    expect(asked).toEqual([])
  })
})

test('the certificate is fetched once', async () => {
  await confirmOurTopic()
  const { address } = await newSubscriber(app)
  await tell(notification(ourTopic, bounceOf(address)))
  await tell(notification(ourTopic, bounceOf(address)))
  expect(asked.filter((one) => one.endsWith('.pem'))).toHaveLength(1)
})

type Message = Record<string, string>

/** The examples of Amazon's manual, except for topic, address and time. */
function subscription(TopicArn: string): Message {
  return signed({
    Type: 'SubscriptionConfirmation',
    MessageId: '165545c9-2a5c-472c-8df2-7ff2be2b3b1b',
    Token: '2336412f37',
    TopicArn,
    Message: `You have chosen to subscribe to the topic ${TopicArn}.\nTo confirm, visit the SubscribeURL.`,
    SubscribeURL: `${host}/?Action=ConfirmSubscription&TopicArn=${TopicArn}&Token=2336412f37`,
    Timestamp: '2012-04-26T20:45:04.751Z',
  })
}

function notification(TopicArn: string, report: object | string): Message {
  return signed({
    Type: 'Notification',
    MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
    TopicArn,
    Subject: 'Amazon SES Email Event Notification',
    Message: typeof report === 'string' ? report : JSON.stringify(report),
    Timestamp: '2012-05-02T00:54:06.655Z',
  })
}

const signedNames = [
  'Message',
  'MessageId',
  'Subject',
  'SubscribeURL',
  'Timestamp',
  'Token',
  'TopicArn',
  'Type',
]

function signed(message: Message, SignatureVersion = '1'): Message {
  const names = signedNames.filter((name) => message[name] !== undefined)
  const text = names.map((name) => `${name}\n${message[name]}\n`).join('')
  const digest = SignatureVersion === '1' ? 'sha1' : 'sha256'
  return {
    ...message,
    SignatureVersion,
    Signature: sign(digest, Buffer.from(text), amazon.key).toString('base64'),
    SigningCertURL: `${host}/SimpleNotificationService-${certificateNumber}.pem`,
  }
}

test('both versions of the signature are accepted', async () => {
  await confirmOurTopic()
  for (const version of ['1', '2']) {
    const { address, state } = await newSubscriber(app)
    const message = signed(notification(ourTopic, bounceOf(address)), version)
    expect((await tell(message)).status).toBe(200)
    expect(await state()).toBe('undeliverable')
  }
})

function bounceOf(emailAddress: string, others: object = {}, bounceType = 'Permanent') {
  const bouncedRecipients = [{ emailAddress, status: '5.1.1', action: 'failed' }]
  const bounce = {
    bounceType,
    bounceSubType: 'General',
    bouncedRecipients,
    timestamp: '2100-01-27T14:59:38.237Z',
  }
  return { notificationType: 'Bounce', bounce, mail: { destination: [emailAddress] }, ...others }
}

function complaintOf(emailAddress: string, complaintFeedbackType = 'abuse') {
  const complainedRecipients = [{ emailAddress }]
  const complaint = { complainedRecipients, complaintFeedbackType, timestamp: '2100-01-27T14:59:38.237Z' }
  return { notificationType: 'Complaint', complaint, mail: {} }
}

async function confirmOurTopic() {
  await tell(subscription(ourTopic))
  await ownerOf(app.databaseUrl)('bounces', 'confirm', ourTopic)
}

/** As SNS posts it: with the name and password of the address, and JSON called plain text. */
function tell(message: Message, authorization = `Basic ${btoa(`sns:${token}`)}`) {
  return fetch(app.url + bounceHookPath, {
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'text/plain; charset=UTF-8',
      'x-amz-sns-message-type': message['Type'] ?? '',
    },
    body: JSON.stringify(message),
  })
}
