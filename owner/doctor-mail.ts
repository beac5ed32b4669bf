import { Resolver } from 'node:dns/promises'
import type { Config } from '#server/config.ts'
import { verifySmtp } from '#server/mail/verify-smtp.ts'
import type { Finding } from './doctor.ts'
import { isLocal } from './doctor-settings.ts'

const timeoutMs = 5_000

export async function checkMail(config: Config): Promise<Finding[]> {
  const domain = config.mailFrom.address.split('@')[1] ?? ''
  return [await checkSmtp(config.smtpUrl), ...(isLocal(domain) ? [] : await checkDns(domain, config))]
}

async function checkSmtp(smtpUrl: string | undefined): Promise<Finding> {
  if (smtpUrl === undefined)
    return { state: 'ok', what: 'mail goes to the local inbox (SMTP_URL is not set)' }
  const { host } = new URL(smtpUrl)
  const why = await verifySmtp(smtpUrl, timeoutMs)
  if (why === undefined) return { state: 'ok', what: `${host} takes our mail` }
  const advice = 'check host, port, user and password in SMTP_URL; many networks block port 25'
  return { state: 'wrong', what: `${host} does not take our mail: ${why}`, advice }
}

interface Lookup {
  name: string
  /** What one of its TXT records begins with. */
  begins: string
  missing: string
  advice: string
}

/** What receivers look up to tell our mail from forgeries. */
async function checkDns(domain: string, { dkim }: Config): Promise<Finding[]> {
  const lookups: Lookup[] = [
    {
      name: domain,
      begins: 'v=spf1',
      missing: `${domain} has no SPF record`,
      advice: 'add the TXT record that your mail provider gives, v=spf1 …',
    },
    {
      name: `_dmarc.${domain}`,
      begins: 'v=DMARC1',
      missing: `${domain} has no DMARC record`,
      advice: `add a TXT record at _dmarc.${domain}, such as v=DMARC1; p=none`,
    },
  ]
  if (dkim)
    lookups.push({
      name: `${dkim.selector}._domainkey.${dkim.domain}`,
      begins: '',
      missing: `the DKIM key ${dkim.selector} of ${dkim.domain} is not published`,
      advice: 'add its public half as a TXT record; until then signed mail is worse than unsigned',
    })
  return Promise.all(lookups.map(lookUp))
}

async function lookUp({ name, begins, missing, advice }: Lookup): Promise<Finding> {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 })
  try {
    const records = (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
    if (records.some((record) => record.startsWith(begins)))
      return { state: 'ok', what: `${name} has its record` }
  } catch (fault) {
    const code = fault instanceof Error && 'code' in fault ? fault.code : undefined
    if (code !== 'ENODATA' && code !== 'ENOTFOUND')
      return { state: 'unknown', what: `cannot check ${name} here: the DNS does not answer` }
  }
  return { state: 'look', what: missing, advice }
}
