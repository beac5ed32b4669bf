import { isLoopback } from '#server/settings/hosts.ts'
import type { SiteSettings } from '#server/settings/site-settings.ts'
import type { Condition } from './condition.ts'

interface Surroundings {
  settings: Pick<SiteSettings, 'config' | 'isHeldBack' | 'isAddressKnown'>
  /** The host at which the owner last signed in, with its port. Undefined: nobody has. */
  signedInAt: string | undefined
}

/**
 * Gives a condition the severity that it has for the owner. Until the page is open an error blocks
 * that. One that cannot be judged from here is none.
 */
export function judge(condition: Condition, { settings, signedInAt }: Surroundings): Condition {
  const { config, isHeldBack, isAddressKnown } = settings
  if (condition.severity !== 'error') return condition
  if (condition.id === 'site.answers' && signedInAt === new URL(config.publicUrl).host) {
    const why = 'This server cannot reach itself at that address. You can: you signed in there.'
    return { ...condition, severity: 'not-checked', why }
  }
  if (isAddressKnown && isAtMachine(signedInAt) && isAboutTheWay(condition)) {
    const isNobodyElseThere = isHeldBack || isLoopback(new URL(config.publicUrl).hostname)
    if (isNobodyElseThere) return { ...condition, severity: 'warning' }
  }
  return isHeldBack ? { ...condition, severity: 'blocks' } : condition
}

function isAtMachine(signedInAt: string | undefined): boolean {
  return signedInAt !== undefined && isLoopback(new URL(`http://${signedInAt}`).hostname)
}

/** True if it is about the way from the internet, which an owner at the machine does not take. */
function isAboutTheWay({ id }: Condition): boolean {
  return /^(?:address|configuration|site|dns)\./.test(id)
}
