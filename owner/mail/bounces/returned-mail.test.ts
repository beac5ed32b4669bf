import { expect, test } from 'vitest'
import { kindOfReturn, type ReturnKind } from './returned-mail.ts'

const cases: [ReturnKind, string[], string][] = [
  // The provider's own names.
  ['returned', ['hardBounce'], ''],
  ['returned', ['Permanent', 'General'], ''],
  ['returned', ['invalid'], ''],
  ['complaint', ['contactFlaggedAsSpam'], ''],
  ['complaint', ['SpamComplaint'], ''],
  ['complaint', ['reported as spam'], ''],
  ['complaint', ['spam'], ''],
  ['unsubscribed', ['unsubscribedViaEmail'], ''],
  ['unsubscribed', ['unsub'], ''],
  ['unsubscribed', ['Opted out'], ''],
  ['unsubscribed', ['ManualSuppression'], ''],
  ['nothing', ['softBounce'], ''],
  ['nothing', ['SpamNotification'], ''],
  ['nothing', ['Blocked'], ''],
  ['nothing', ['invalid-sender'], ''],
  ['nothing', ['delivered'], ''],
  // What the recipient's server said wins over a provider's "hard".
  ['nothing', ['HardBounce'], 'smtp; 550 5.7.515 Access denied'],
  ['nothing', ['hard'], '550-5.7.26 Your email has been blocked'],
  ['nothing', ['Permanent'], '550 5.4.1 Recipient address rejected: Access denied'],
  ['nothing', ['Permanent'], '550 Message rejected as spam'],
  ['nothing', ['hard'], '4.2.2'],
  ['returned', ['HardBounce'], 'smtp;550 5.1.1 The email account does not exist'],
  ['returned', [], '5.1.1'],
  ['returned', [], '550; 5.1.10 Recipient not found'],
  ['returned', [], '550, no such user'],
  ['nothing', [], '550'],
  ['nothing', [], ''],
]

test.each(cases)('%s follows from a report of the types %j that says "%s"', (kind, types, said) => {
  expect(kindOfReturn({ types, said, recipient: 'ana@example.com' })).toBe(kind)
})
