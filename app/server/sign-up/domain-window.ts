import { createHmac } from 'node:crypto'
import { domainOf, foldingDomains, registrableDomain } from '../subscribers/abuse-key.ts'

/** Each has millions of inboxes. */
const largeProviders = new Set([
  ...foldingDomains,
  ...`outlook.com hotmail.com live.com msn.com hotmail.co.uk hotmail.de hotmail.es hotmail.fr
  hotmail.it yahoo.com ymail.com yahoo.co.in yahoo.co.jp yahoo.co.uk yahoo.com.br yahoo.de yahoo.es
  yahoo.fr yahoo.it aol.com fastmail.com zoho.com mail.com gmx.at gmx.ch gmx.com gmx.de gmx.net
  web.de t-online.de freenet.de orange.fr wanadoo.fr free.fr laposte.net sfr.fr libero.it wp.pl
  onet.pl seznam.cz ziggo.nl btinternet.com sky.com comcast.net verizon.net att.net sbcglobal.net
  bigpond.com uol.com.br bol.com.br mail.ru inbox.ru bk.ru list.ru rambler.ru ukr.net qq.com
  foxmail.com 163.com 126.com naver.com daum.net hanmail.net rediffmail.com`.split(/\s+/),
])

/** RFC 2606 and RFC 6761 reserve these names: no mail reaches them. */
const reservedDomain = /(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)$/

/**
 * Names the window that counts the mails of a day to a domain, under a keyed hash. Subdomains count
 * together, because one person may hold all of them. Undefined: the domain has no ceiling.
 */
export function domainWindowName(identity: string, secret: string): string | undefined {
  const domain = domainOf(identity)
  if (largeProviders.has(domain) || reservedDomain.test(domain)) return undefined
  const hash = createHmac('sha256', secret)
    .update(registrableDomain(identity))
    .digest('base64url')
    .slice(0, 22)
  return `domain ${hash}`
}
