import { existsSync } from 'node:fs'
import { parseEmailAddress } from '#contract/email-address.ts'

export type Environment = Record<string, string | undefined>

/** Reads one variable at a time and collects the faults. An empty variable counts as unset. */
export class EnvironmentReader {
  readonly faults: string[] = []
  readonly #environment: Environment
  constructor(environment: Environment) {
    this.#environment = environment
  }

  fault(name: string, what: string): void {
    this.faults.push(`${name} ${what}`)
  }

  isUnset(name: string): boolean {
    return !this.#environment[name]
  }

  text(name: string, otherwise: string): string {
    return this.#environment[name] || otherwise
  }

  list(name: string): string[] {
    return this.text(name, '')
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '')
  }

  matching<Default extends string | undefined>(
    name: string,
    otherwise: Default,
    pattern: RegExp,
    form: string,
  ): string | Default {
    const value = this.#environment[name]
    if (!value) return otherwise
    // The value itself may hold a password, so it is not repeated.
    if (!pattern.test(value) || !URL.canParse(value)) this.fault(name, `must have the form ${form}`)
    return value
  }

  oneOf<Choice extends string>(name: string, otherwise: Choice, choices: readonly Choice[]): Choice {
    const value = this.text(name, otherwise)
    const choice = choices.find((one) => one === value)
    if (choice === undefined) this.fault(name, `must be one of ${choices.join(', ')}, not "${value}"`)
    return choice ?? otherwise
  }

  wholeNumber(name: string, otherwise: number, least: number, most: number): number {
    const value = this.text(name, String(otherwise))
    const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN
    if (number >= least && number <= most) return number
    this.fault(name, `must be a whole number from ${least} to ${most}, not "${value}"`)
    return otherwise
  }

  /** A whole number above zero, or "off". */
  limit(name: string, otherwise: number): number {
    const value = this.text(name, otherwise === Infinity ? 'off' : String(otherwise))
    if (value === 'off') return Infinity
    if (/^[1-9]\d{0,8}$/.test(value)) return Number(value)
    this.fault(name, `must be a whole number above zero or "off", not "${value}"`)
    return otherwise
  }

  waits(name: string, otherwise: string): number[] {
    const value = this.text(name, otherwise)
    if (!/^\d{1,8}(?:,\d{1,8})*$/.test(value))
      this.fault(name, `must be whole seconds with commas between, not "${value}"`)
    return value.split(',').map(Number)
  }

  origin(name: string, otherwise: string): string {
    return this.asOrigin(name, this.text(name, otherwise))
  }

  asOrigin(name: string, value: string): string {
    const url = URL.parse(value)
    const isOrigin =
      url && /^https?:$/.test(url.protocol) && (value === url.origin || value === `${url.origin}/`)
    if (!isOrigin)
      this.fault(name, `must be an origin such as https://example.com, with no path, not "${value}"`)
    return url?.origin ?? value
  }

  address<Default extends string | undefined>(name: string, otherwise: Default): string | Default {
    const value = this.text(name, otherwise ?? '')
    if (value === '') return otherwise
    if (!isMailAddress(value)) this.fault(name, `must be an email address, not "${value}"`)
    return value
  }

  /** `Name <address>` or the address alone. */
  mailbox(name: string, otherwise: { name: string; address: string }): { name: string; address: string } {
    const value = this.#environment[name]
    if (!value) return otherwise
    const [, display = '', address = value] = /^\s*"?([^"<>]*?)"?\s*<([^<>]+)>\s*$/.exec(value) ?? []
    // oxlint-disable-next-line no-control-regex -- a line break here would be a header of the sender's own
    if (!isMailAddress(address) || /[\0-\x1f]/.test(display))
      this.fault(name, `must have the form Name <address>, not "${value}"`)
    return { name: display, address }
  }

  dkim(): { domain: string; selector: string; privateKeyFile: string } | undefined {
    const [domain, selector, privateKeyFile] = ['DKIM_DOMAIN', 'DKIM_SELECTOR', 'DKIM_PRIVATE_KEY_FILE'].map(
      (name) => this.text(name, ''),
    )
    if (!domain && !selector && !privateKeyFile) return undefined
    if (!domain) this.fault('DKIM_DOMAIN', 'is missing: the three DKIM variables go together')
    if (!selector) this.fault('DKIM_SELECTOR', 'is missing: the three DKIM variables go together')
    if (!privateKeyFile)
      this.fault('DKIM_PRIVATE_KEY_FILE', 'is missing: the three DKIM variables go together')
    else if (!existsSync(privateKeyFile))
      this.fault('DKIM_PRIVATE_KEY_FILE', `names a file that is not there: "${privateKeyFile}"`)
    if (!domain || !selector || !privateKeyFile) return undefined
    return { domain, selector, privateKeyFile }
  }
}

function isMailAddress(value: string): boolean {
  return parseEmailAddress(value) !== undefined || /^[^@\s]+@localhost$/.test(value)
}
