import { z } from 'zod'
import { parseEmailAddress } from '#contract/email-address.ts'
import { type Config, readSettings } from '#server/settings/config.ts'
import { type MailApiName, mailApiNames } from '#server/settings/mail-apis.ts'
import type { SiteSettings, StoredSettings } from '#server/settings/site-settings.ts'
import { text } from '#owner/acts/inputs.ts'
import { FieldError } from '#owner/acts/errors.ts'

/** The values of the fields. */
export interface MailServiceInput {
  service: 'smtp' | MailApiName
  host: string
  port: string
  user: string
  /** Empty: the stored one is kept. */
  password: string
  /** Empty: the stored one is kept. */
  apiKey: string
  from: string
  support: string
}

export const mailServiceInput: z.ZodType<MailServiceInput, MailServiceInput> = z.object({
  service: z.enum(['smtp', ...mailApiNames]),
  host: text,
  port: text,
  user: text,
  password: text,
  apiKey: text,
  from: text,
  support: text,
})

/** The values that the fields show. Secrets are never sent back to a browser. */
export interface ShownMailService extends Omit<
  MailServiceInput,
  'service' | 'password' | 'apiKey'
> {
  /** Null: none is set up. */
  service: MailServiceInput['service'] | null
  hasPassword: boolean
  hasApiKey: boolean
  /** The variables that the environment sets, by the part of the form. */
  fixed: { service: string | null; from: string | null; support: string | null }
}

type MailVariable = 'SMTP_URL' | 'MAIL_API' | 'MAIL_API_KEY' | 'MAIL_FROM' | 'SUPPORT_EMAIL'
export type MailVariables = Record<MailVariable, string | undefined>

export function shownMailService({ config, fixed, stored }: SiteSettings): ShownMailService {
  const { smtpUrl, mailApi, mailFrom } = config
  const smtp = smtpUrl === undefined ? undefined : new URL(smtpUrl)
  const isFromKnown = config.source['MAIL_FROM'] !== undefined
  const fixedService = ['SMTP_URL', 'MAIL_API'].find((name) => fixed.has(name)) ?? null
  return {
    service: mailApi?.provider ?? (smtp ? 'smtp' : null),
    host: smtp?.hostname ?? '',
    port: smtp ? portOf(smtp) : '',
    user: decodeURIComponent(smtp?.username ?? ''),
    hasPassword: Boolean(smtp?.password),
    hasApiKey: mailApi !== undefined,
    from: isFromKnown ? mailboxText(mailFrom) : '',
    support: fixed.has('SUPPORT_EMAIL') ? config.supportEmail : (stored.SUPPORT_EMAIL ?? ''),
    fixed: {
      service: fixedService,
      from: fixed.has('MAIL_FROM') ? 'MAIL_FROM' : null,
      support: fixed.has('SUPPORT_EMAIL') ? 'SUPPORT_EMAIL' : null,
    },
  }
}

/**
 * The variables that the fields stand for. Throws a FieldError for the first field that is wrong.
 * A variable of the environment is left as it is.
 */
export function variablesOf(input: MailServiceInput, settings: SiteSettings): MailVariables {
  const { fixed, stored } = settings
  const service =
    fixed.has('SMTP_URL') || fixed.has('MAIL_API')
      ? { SMTP_URL: undefined, MAIL_API: undefined, MAIL_API_KEY: undefined }
      : serviceVariables(input, settings)
  return {
    ...service,
    MAIL_FROM: fixed.has('MAIL_FROM') ? stored.MAIL_FROM : readSender(input.from),
    SUPPORT_EMAIL: fixed.has('SUPPORT_EMAIL') ? stored.SUPPORT_EMAIL : readSupport(input.support),
  }
}

/** The configuration as it would be with these variables. */
export function configWith(variables: MailVariables, { config, fixed }: SiteSettings): Config {
  const given: StoredSettings = {}
  for (const [name, value] of Object.entries(variables)) {
    if (value !== undefined) given[name as MailVariable] = value
  }
  const read = readSettings({ ...given })
  if ('faults' in read) throw new FieldError('mail.host', `${read.faults[0]}.`)
  const { smtpUrl, mailApi, mailFrom, senderDomain, supportEmail } = read.config
  const hasFixedService = fixed.has('SMTP_URL') || fixed.has('MAIL_API')
  return {
    ...config,
    ...(!hasFixedService && { smtpUrl, mailApi, hasLocalInbox: false }),
    ...(!fixed.has('MAIL_FROM') && { mailFrom, senderDomain }),
    ...(!fixed.has('SUPPORT_EMAIL') && { supportEmail }),
  }
}

function serviceVariables(
  input: MailServiceInput,
  settings: SiteSettings,
): Pick<MailVariables, 'SMTP_URL' | 'MAIL_API' | 'MAIL_API_KEY'> {
  if (input.service === 'smtp') {
    return { SMTP_URL: smtpUrlOf(input, settings), MAIL_API: undefined, MAIL_API_KEY: undefined }
  }
  const { mailApi } = settings.config
  const kept = mailApi?.provider === input.service ? mailApi.key : ''
  const key = input.apiKey.trim() || kept
  if (!/^[!-~]+$/.test(key)) throw new FieldError('mail.apiKey', 'A key has no spaces in it.')
  return { SMTP_URL: undefined, MAIL_API: input.service, MAIL_API_KEY: key }
}

function smtpUrlOf({ host, port, user, password }: MailServiceInput, settings: SiteSettings) {
  const name = host.trim()
  if (!/^(?:[\w.-]+|\[[\da-f:]+\])$/i.test(name)) {
    throw new FieldError('mail.host', 'This is not the name of a server, such as smtp.example.com.')
  }
  const number = port.trim() || '587'
  if (!/^\d{1,5}$/.test(number) || Number(number) < 1 || Number(number) > 65_535) {
    throw new FieldError('mail.port', 'A port is a number from 1 to 65535.')
  }
  const before =
    settings.config.smtpUrl === undefined ? undefined : new URL(settings.config.smtpUrl)
  // A password that is kept goes to no other server, and to no other port: another program may
  // listen there.
  const isSameServer = before?.hostname === name && portOf(before) === String(Number(number))
  const kept = isSameServer ? decodeURIComponent(before.password) : ''
  const secret = password || kept
  const login =
    user.trim() === '' ? '' : `${encodeURIComponent(user.trim())}:${encodeURIComponent(secret)}@`
  return `${number === '465' ? 'smtps' : 'smtp'}://${login}${name}:${number}`
}

/** The name beside it is that of the page. */
function readSender(typed: string): string {
  const read = readSettings({ MAIL_FROM: typed.trim() })
  if (typed.trim() === '' || 'faults' in read) {
    throw new FieldError('mail.from', 'This is not an address, such as bot@example.com.')
  }
  return read.config.mailFrom.address
}

function readSupport(typed: string): string | undefined {
  if (typed.trim() === '') return undefined
  if (!parseEmailAddress(typed.trim())) {
    throw new FieldError('mail.support', 'This is not an address.')
  }
  return typed.trim()
}

function portOf({ port, protocol }: URL): string {
  if (port !== '') return port
  return protocol === 'smtps:' ? '465' : '587'
}

function mailboxText({ name, address }: { name: string; address: string }): string {
  return name === '' ? address : `${name} <${address}>`
}
