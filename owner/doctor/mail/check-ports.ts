import { connect } from 'node:net'
import { mailApiNames } from '#server/transports/mail-api-providers.ts'
import type { CheckContext, Outcome, Subject } from '../finding.ts'

const submissionPorts = [587, 465, 2525]
const timeoutMs = 4_000

/** Ports that a relay does not offer look closed as well, so they are no problem while ours is open. */
export async function checkPorts(
  { config: { smtpUrl } }: CheckContext,
  { ok, look }: Subject,
): Promise<Outcome> {
  if (smtpUrl === undefined) return []
  const { hostname, port, protocol } = new URL(smtpUrl)
  const ours = Number(port) || (protocol === 'smtps:' ? 465 : 587)
  const tried = [...new Set([...submissionPorts, ours])]
  const areOpen = await Promise.all(tried.map((one) => isReachable(hostname.replace(/^\[|\]$/g, ''), one)))
  const reachable = new Set(tried.filter((_, index) => areOpen[index]))
  const closed = submissionPorts.filter((one) => !reachable.has(one))
  const open = submissionPorts.filter((one) => reachable.has(one))
  if (closed.length === 0) return ok(`Ports ${inWords(open)} of ${hostname} are open from here.`)
  const what = `Closed from here, of the ports for sending mail at ${hostname}: ${inWords(closed)}`
  if (reachable.has(ours)) return ok(`${what}. Port ${ours}, which SMTP_URL uses, is open.`)
  const openPort = open.length > 0 ? `Use port ${open[0]} in SMTP_URL, which is open. ` : ''
  return look(
    `${what}.`,
    `${openPort}Where a host blocks SMTP, mail can go over HTTPS: set MAIL_API (${mailApiNames.join(' or ')}) and MAIL_API_KEY instead of SMTP_URL.`,
  )
}

function isReachable(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs })
    const end = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })
}

function inWords(ports: readonly number[]): string {
  return new Intl.ListFormat('en').format(ports.map(String))
}
