import { expect, test } from 'vitest'
import { meaningOf, permissionOf, soundsLikeConsent } from './mail-permission.ts'

/** `?`: not understood. Empty: nothing is said. A dash: the column is about something else. */
function said(column: string, value: string): string {
  const meaning = meaningOf(column)
  if (!meaning) return '-'
  const permission = permissionOf(meaning, value)
  if (permission.kind === 'left') return permission.reason
  return { allowed: 'mail', silent: '', unclear: '?' }[permission.kind]
}

test.each([
  ['Do not contact?', '1', 'unsubscribed'],
  ['Do not contact?', '0', 'mail'],
  ['do_not_email', 'TRUE', 'unsubscribed'],
  ["Don't mail", 'x', 'unsubscribed'],
  ['No marketing emails', 'no', 'mail'],
  ['email_disabled', 'true', 'unsubscribed'],
  ['email_disabled', 'false', 'mail'],
  ['emailDisabled', 'true', 'unsubscribed'],
  ['Email enabled', 'false', 'unsubscribed'],
  ['Unsubscribed from all email', 'true', 'unsubscribed'],
  ['Unsubscribed from all email', 'false', 'mail'],
  ['Not unsubscribed', 'false', 'unsubscribed'],
  ['UNSUB_TIME', '2024-05-06 07:08:09', 'unsubscribed'],
  ['unsubscribed_at', 'Jan 5, 2024', 'unsubscribed'],
  ['unsubscribed_at', '0000-00-00 00:00:00', 'mail'],
  ['unsubscribed_at', 'never', 'mail'],
  ['deleted_at', '1700000000', 'unsubscribed'],
  ['left_at', '2025-01-01', 'unsubscribed'],
  ['Opted out of email: Marketing', 'Yes', 'unsubscribed'],
  ['Global opt-out', 'No', 'mail'],
  ['Opt-out', 'opted in', 'mail'],
  ['EmailOptOut', '1', 'unsubscribed'],
  ['Accepts marketing', 'no', 'unsubscribed'],
  ['Accepts Email Marketing', 'yes', 'mail'],
  ['Email opt-in', 'n', 'unsubscribed'],
  ['optedIn', 'false', 'unsubscribed'],
  ['subscribed_to_emails', 'false', 'unsubscribed'],
  ['Consent', 'no', 'unsubscribed'],
  ['Consent withdrawn', 'yes', 'unsubscribed'],
  ['Receives newsletter', 'FALSCH', 'unsubscribed'],
  ['Newsletter', 'no', 'unsubscribed'],
  ['Can contact', '0', 'unsubscribed'],
  ['Contactable', '0', 'unsubscribed'],
  ['Email confirmed', 'false', 'not-confirmed'],
  ['email_verified', 'true', 'mail'],
  ['Hard bounced', '1', 'hard-bounce'],
  ['Bounces', '3', 'hard-bounce'],
  ['CLEAN_TIME', '2024-05-06', 'hard-bounce'],
  ['Spam complaint', 'yes', 'complaint'],
  ['Not spam', 'yes', 'mail'],
  ['Status', 'unsubscribed', 'unsubscribed'],
  ['Status', 'Never subscribed', 'unsubscribed'],
  ['Status', 'Non-subscribed', 'unsubscribed'],
  ['Status', 'No longer active', 'unsubscribed'],
  ['Status', 'Subscribed', 'mail'],
  ['Status', 'Active', 'mail'],
  ['status', 'pending', 'not-confirmed'],
  ['status', 'Not confirmed', 'not-confirmed'],
  ['status', 'Marked as spam', 'complaint'],
  ['status', 'soft bounced', 'soft-bounce'],
  ['status', 'unsubscribedViaEmail', 'unsubscribed'],
  ['status', 'Cancelled', 'unsubscribed'],
  ['is_active', '0', 'unsubscribed'],
  ['enabled', 'false', 'unsubscribed'],
  ['confirmed', 'no', 'not-confirmed'],
  ['do_not_send', '1', 'unsubscribed'],
  ['is_deliverable', 'false', 'unsubscribed'],
  ['Email address quarantined', 'true', 'unsubscribed'],
  ['Email hard bounce reason', 'Mailbox does not exist', 'hard-bounce'],
  ['Email hard bounce reason', '', ''],
  ['Newsletter consent', 'granted', 'mail'],
  ['Newsletter consent', 'denied', 'unsubscribed'],
  ['Abgemeldet', 'ja', 'unsubscribed'],
  ['Désinscrit', 'non', 'mail'],
  ['Estado', 'baja', 'unsubscribed'],
  ['status', '', ''],
  ['status', 'N/A', ''],
])('a column "%s" with "%s" says: %s', (column, value, expected) => {
  expect(said(column, value)).toBe(expected)
})

test.each([
  ['status', 'customer'],
  ['status', 'zombie'],
  ['status', '1'],
  ['status', 'true'],
  ['Subscription status', '2024-01-02'],
  ['Email disabled', 'enabled'],
  ['Unsubscribed', 'active'],
  ['Accepts marketing', 'weekly'],
  ['State', 'CA'],
  ['state', 'NO'],
  ['status', 'He said that she had unsubscribed last year from all of it'],
])('a column "%s" with "%s" is not understood', (column, value) => {
  expect(said(column, value)).toBe('?')
})

test.each([
  'Name',
  'Blockchain wallet',
  'Bounce rate',
  'Cleaning service',
  'Subscribed plan',
  'Accepts SMS marketing',
  'Phone opt out',
  'Contact owner',
  'Contact no',
  'Last marketing email open date',
  'UNSUB_CAMPAIGN_ID',
  'active_subscription',
  'Accepted terms',
  'Verified phone',
  'Cancelled at',
  'left hand',
])('a column "%s" is not about mail to the person', (column) => {
  expect(said(column, 'yes')).toBe('-')
})

test.each([
  ['Status', 'certain'],
  ['Subscription status', 'certain'],
  ['Email state', 'certain'],
  ['Opt-in status', 'certain'],
  ['State', 'likely'],
  ['Lead status', 'likely'],
  ['Subscriber type', 'likely'],
  ['Newsletter', 'likely'],
  ['active', 'likely'],
  ['unsubscribed', 'certain'],
  ['Do not contact?', 'certain'],
])('a column "%s" is %s to be about mail', (column, strength) => {
  expect(meaningOf(column)?.strength).toBe(strength)
})

test.each([
  ['GDPR', true],
  ['Marketing permissions', true],
  ['CONFIRM_TIME', true],
  ['active_subscription', true],
  ['Cancelled at', true],
  ['Accepts marketing', true],
  ['is_active', true],
  ['opt_status', true],
  ['opted', true],
  ['OPTIN_IP', false],
  ['Contact owner', false],
  ['Verified purchase', false],
  ['Name', false],
  ['State', false],
])('that a column "%s" sounds like consent or leaving is %s', (column, expected) => {
  expect(soundsLikeConsent(column)).toBe(expected)
})
