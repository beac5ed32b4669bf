import { connect } from 'node:net'
import { type Check, type CheckContext, type Finding, subject } from '../finding.ts'

const about = subject('mail.ports', 'Many hosts close the ports of mail, and no setting of ours opens them.')

export const portChecks: Check[] = [{ about, run: checkPorts }]

const submissionPorts = [587, 465, 2525]
const patienceMs = 4_000

/** Ports that a relay does not offer look closed as well, so they are no problem while ours is open. */
async function checkPorts({ config: { smtpUrl } }: CheckContext): Promise<Finding[]> {
  if (smtpUrl === undefined) return []
  const { hostname, port, protocol } = new URL(smtpUrl)
  const ours = Number(port) || (protocol === 'smtps:' ? 465 : 587)
  const tried = await Promise.all(
    [...new Set([...submissionPorts, ours])].map(async (one) => ({
      port: one,
      isOpen: await isReachable(hostname.replace(/^\[|\]$/g, ''), one),
    })),
  )
  const isOursOpen = tried.some((one) => one.port === ours && one.isOpen)
  const submission = tried.filter((one) => submissionPorts.includes(one.port))
  const open = submission.filter((one) => one.isOpen).map((one) => one.port)
  const closed = submission.filter((one) => !one.isOpen).map((one) => one.port)
  if (closed.length === 0) return [about.ok(`Ports ${inWords(open)} of ${hostname} are open from here.`)]
  const what = `Closed from here, of the ports for sending mail at ${hostname}: ${inWords(closed)}`
  if (isOursOpen) return [about.ok(`${what}. Port ${ours}, which SMTP_URL uses, is open.`)]
  const openPort = open.length > 0 ? `Use port ${open[0]} in SMTP_URL, which is open. ` : ''
  return [
    about.look(
      `${what}.`,
      `${openPort}Where a host blocks SMTP, mail can go over HTTPS: set MAIL_API (resend or postmark) and MAIL_API_KEY instead of SMTP_URL.`,
    ),
  ]
}

function isReachable(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: patienceMs })
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
