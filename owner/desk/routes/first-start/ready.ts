import type { Content } from '#content/content.ts'
import { defaultContent } from '#content/content.ts'
import { canSend } from '#server/configuration/config.ts'
import { openSite } from '#server/site/site-settings.ts'
import { differenceOf } from '#words/difference.ts'
import { CommandError } from '../../../command-line/command-context.ts'
import { counted } from '../../../command-line/output.ts'
import { type CheckUp, checkUp } from '../../../doctor/check-up.ts'
import { leftPlaceholders } from '../../../doctor/left-placeholders.ts'
import type { OwnerRequest } from '../../desk-request.ts'
import { audited, ownerProcedure, router } from '../../procedures.ts'
import { isProved, readMailTests } from './mail-tests.ts'

/** `missing` holds the page back; `wrong` and `look` are for the owner to judge. */
export type LineState = 'done' | 'missing' | 'wrong' | 'look' | 'running'

export interface ReadyLine {
  state: LineState
  /** What it has or lacks, in a sentence. */
  words: string
  /** In the sentence that says why the page cannot open yet. Empty: it can, as for this line. */
  obstacle: string
}

export const readyRouter = router({
  show: ownerProcedure.query(({ ctx }) => describeReadiness(ctx)),
  open: audited('Opened the page').mutation(async ({ ctx }) => {
    const { obstacles } = await describeReadiness(ctx)
    if (obstacles.length > 0) throw new CommandError(`Not yet: ${obstacles.join(', and ')}.`)
    const { database, settings, now } = ctx.server
    await openSite(database, now())
    await settings.refresh()
  }),
})

async function describeReadiness({ server }: OwnerRequest) {
  const { settings, site, database, secret } = server
  const { config, isHeldBack, isAddressKnown } = settings.current
  const { content } = site.current
  const tests = await readMailTests(database)
  const lines = {
    name: nameLine(content),
    words: wordsLine(content),
    mail: mailLine({
      host: config.mailApi?.baseUrl ?? config.smtpUrl,
      hasLocalInbox: config.hasLocalInbox,
      canSend: canSend(config),
      lastFailure: tests[0]?.isSent === false ? tests[0].what : undefined,
      isProved: isProved(tests, config, secret),
    }),
    address: addressLine(isAddressKnown, config.publicUrl),
    checkUp: checkUpLine(checkUp),
  }
  const obstacles = Object.values(lines).flatMap(({ obstacle }) => (obstacle ? [obstacle] : []))
  return { isHeldBack, publicUrl: config.publicUrl, lines, obstacles }
}

function nameLine(content: Content): ReadyLine {
  const { creatorName, postalAddress } = content.brand
  const left = new Set(leftPlaceholders(content).map(({ path }) => path))
  const missing = [
    (left.has('brand.creatorName') || creatorName === '') && 'your name',
    (left.has('brand.postalAddress') || postalAddress === '') && 'your postal address',
  ].filter((one) => one !== false)
  if (missing.length === 0) return done(`${creatorName}, ${postalAddress}`)
  const names = missing.join(' and ')
  const verb = missing.length === 1 ? 'is' : 'are'
  return {
    state: 'missing',
    words: `${names.charAt(0).toUpperCase()}${names.slice(1)} ${verb} missing. They sign the page and every mail.`,
    obstacle: `${names} ${verb} missing`,
  }
}

function wordsLine(content: Content): ReadyLine {
  const elsewhere = leftPlaceholders(content).filter(({ path }) => !isNameOrAddress(path))
  if (elsewhere.length > 0) {
    const [first] = elsewhere
    const count = counted(elsewhere.length, 'placeholder is', 'placeholders are')
    return {
      state: 'missing',
      words: `${count} left in the texts, such as ${first!.text}.`,
      obstacle: `${count} left in the texts`,
    }
  }
  const changed = Object.keys(differenceOf(defaultContent, content).texts).length
  return done(
    changed === 0
      ? 'They are ours, and speak of the script that you give away.'
      : `${counted(changed, 'text is', 'texts are')} changed.`,
  )
}

function isNameOrAddress(path: string): boolean {
  return path === 'brand.creatorName' || path === 'brand.postalAddress'
}

interface MailFacts {
  /** The URL of the service. */
  host: string | undefined
  hasLocalInbox: boolean
  canSend: boolean
  lastFailure: string | undefined
  isProved: boolean
}

function mailLine(facts: MailFacts): ReadyLine {
  if (facts.hasLocalInbox) {
    return { state: 'look', words: 'Mail goes to the local inbox of this machine.', obstacle: '' }
  }
  const obstacle = 'the mail service is missing'
  if (!facts.canSend || facts.host === undefined) {
    return { state: 'missing', words: 'None is set. Without one nobody gets the script.', obstacle }
  }
  const host = new URL(facts.host).hostname
  if (facts.isProved) return done(`${host} took a test mail.`)
  return {
    state: 'missing',
    words: facts.lastFailure ?? `${host} is set. Send yourself a test mail.`,
    obstacle: 'no test mail has gone out with the mail service',
  }
}

function addressLine(isKnown: boolean, publicUrl: string): ReadyLine {
  if (isKnown) return done(`${publicUrl} leads here.`)
  return {
    state: 'missing',
    words: 'It is not set. Every link in every mail begins with it.',
    obstacle: 'the address on the internet is missing',
  }
}

function checkUpLine({ state, findings }: CheckUp): ReadyLine {
  if (state === 'never-run') return { state: 'look', words: 'It has not run yet.', obstacle: '' }
  if (state === 'running') return { state: 'running', words: 'It runs.', obstacle: '' }
  const wrong = findings.filter((one) => one.state === 'wrong')
  const look = findings.filter((one) => one.state === 'look')
  const others = wrong.filter(({ id }) => id !== 'content.placeholders')
  if (wrong.length > 0) {
    const holding = others.filter(({ id }) => /^(?:database|mail)\./.test(id))
    return {
      state: 'wrong',
      words: `${counted(wrong.length, 'thing is', 'things are')} wrong: ${wrong[0]!.what}`,
      obstacle: holding.length > 0 ? 'the check-up found a fault of database or mail' : '',
    }
  }
  if (look.length === 0) return done('Nothing is wrong.')
  return {
    state: 'look',
    words: `Nothing is wrong. ${counted(look.length, 'thing is', 'things are')} worth a look: ${look[0]!.what}`,
    obstacle: '',
  }
}

function done(words: string): ReadyLine {
  return { state: 'done', words, obstacle: '' }
}
