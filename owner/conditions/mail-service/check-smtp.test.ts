import type { SMTPServerOptions } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { askDoctor } from '#rigs/owner/doctor-terminal.ts'
import { selfSignedCertificate } from '#rigs/mail/self-signed-certificate.ts'
import { startSmtpInbox } from '#rigs/mail/smtp-inbox.ts'

async function startRelay(options?: SMTPServerOptions) {
  const relay = await startSmtpInbox(0, options)
  onTestFinished(() => relay.close())
  return relay
}

/** A relay that encrypts and signs in who says "user:right". */
async function startSecureRelay() {
  const certificate = await selfSignedCertificate()
  const { port } = await startRelay({
    ...certificate,
    secure: true,
    disabledCommands: [],
    onAuth({ username, password }, _session, done) {
      if (username === 'user' && password === 'right') done(null, { user: 'user' })
      else done(Object.assign(new Error('Bad credentials'), { responseCode: 535 }))
    },
  })
  return { host: `127.0.0.1:${port}`, certificate }
}

/** Makes the certificate its own authority. */
function trusting({ cert }: { cert: string }): string {
  return `?tls.ca=${encodeURIComponent(cert)}`
}

const asOf = (smtpUrl: string, outside = {}) =>
  askDoctor({ environment: { SMTP_URL: smtpUrl, MAIL_FROM: 'a@example.com' }, outside })

test('a relay that encrypts and accepts our login and sender is ok', async () => {
  const { host, certificate } = await startSecureRelay()
  const { said } = await asOf(`smtps://user:right@${host}${trusting(certificate)}`)
  expect(said('mail.connects')).toBe(`fine ${host} answers.`)
  expect(said('mail.encrypted')).toBe(
    `fine The connection is encrypted, and the certificate of ${host} is verified.`,
  )
  expect(said('mail.login')).toBe(`fine ${host} accepts the login.`)
})

test('a refused login is reported with the reply of the relay', async () => {
  const { host, certificate } = await startSecureRelay()
  const { said, code } = await asOf(`smtps://user:wrong@${host}${trusting(certificate)}`)
  expect(said('mail.login')).toBe(`error ${host} rejected the password: 535 Bad credentials.`)
  expect(code).toBe(1)
})

test.each([
  ['550 5.7.30 Basic authentication is not supported for Client Submission.'],
  ['535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant.'],
])('the end of passwords at Microsoft 365 is explained: %s', async (answer) => {
  const [, code, words] = /^(\d+) (.*)$/.exec(answer)!
  const relay = await startRelay()
  relay.behave({ does: 'answer', code: Number(code), to: 'auth', words: words! })
  const { of } = await asOf(`smtp://user:right@127.0.0.1:${relay.port}`)
  expect(of('mail.login')).toMatchObject([
    {
      severity: 'error',
      what: `127.0.0.1:${relay.port} takes no password any more: ${answer}.`,
      advice: expect.stringContaining('Microsoft 365 ends sending with user and password'),
    },
  ])
})

test('a self-signed certificate is wrong', async () => {
  const { host } = await startSecureRelay()
  const { said } = await asOf(`smtps://user:right@${host}`)
  expect(said('mail.encrypted')).toBe(
    `error ${host} does not accept our mail: its certificate cannot be verified (DEPTH_ZERO_SELF_SIGNED_CERT).`,
  )
})

test('after STARTTLS the certificate is checked as well', async () => {
  const certificate = await selfSignedCertificate()
  const { port } = await startRelay({ ...certificate, disabledCommands: ['AUTH'] })
  expect((await asOf(`smtp://127.0.0.1:${port}`)).said('mail.encrypted')).toMatch(
    /^error .*DEPTH_ZERO_SELF_SIGNED_CERT/,
  )
})

test('a certificate for another name is wrong', async () => {
  const certificate = await selfSignedCertificate('relay.example')
  const { port } = await startRelay({ ...certificate, secure: true })
  const { said } = await asOf(`smtps://127.0.0.1:${port}${trusting(certificate)}`)
  expect(said('mail.encrypted')).toMatch(
    /^error .*cannot be verified \(ERR_TLS_CERT_ALTNAME_INVALID\)/,
  )
})

test('a certificate that SMTP_URL does not check is a warning', async () => {
  const { host } = await startSecureRelay()
  const { said } = await asOf(`smtps://user:right@${host}?tls.rejectUnauthorized=false`)
  expect(said('mail.encrypted')).toMatch(/^warning Somebody in between could read mail/)
})

test('a remote relay without encryption is wrong, unless SMTP_URL allows it', async () => {
  const { port } = await startRelay()
  const remote = `0.0.0.0:${port}` // this machine, by a name that is not loopback
  for (const user of ['user:secret@', '']) {
    expect((await asOf(`smtp://${user}${remote}`)).said('mail.encrypted')).toMatch(
      /^error .* offers no encryption \(500 /,
    )
  }
  expect((await asOf(`smtp://${remote}?requireTLS=false`)).said('mail.encrypted')).toBe(
    `warning Somebody in between could read mail to ${remote}.`,
  )
})

test('a relay on this machine needs neither encryption nor a login', async () => {
  const { port } = await startRelay()
  const { said, code } = await asOf(`smtp://127.0.0.1:${port}`)
  expect(said('mail.encrypted')).toBe(
    `fine 127.0.0.1:${port} is this machine, so nothing needs to be encrypted.`,
  )
  expect(said('mail.login')).toBe(`fine 127.0.0.1:${port} accepts mail without a login.`)
  expect(code).toBe(0)
})

test('a relay that is down is reported in words, with the code of the system', async () => {
  const relay = await startRelay()
  await relay.close()
  expect((await asOf(relay.url)).said('mail.connects')).toBe(
    `error 127.0.0.1:${relay.port} does not accept our mail: it cannot be reached (ECONNREFUSED).`,
  )
})

test('a relay that stays mute is not waited for', async () => {
  const relay = await startRelay()
  relay.behave({ does: 'stay-mute', at: 'greeting' })
  expect((await asOf(relay.url, { answerMs: 50 })).said('mail.connects')).toMatch(
    /^error .* does not accept our mail: .* \(ETIMEDOUT\)\.$/,
  )
})
