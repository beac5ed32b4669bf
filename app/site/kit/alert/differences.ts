import type { Bridge, ExitsSwitch } from '../bridges/bridge.ts'
import type { KnownMessage } from './known-messages.ts'
import type { Match } from './match-message.ts'

/** The bridge and the fields that are chosen on the page. */
export interface Chosen {
  readonly bridge: Bridge
  readonly exits: ExitsSwitch
}

/** The known message that a message is most like. */
export interface Best {
  readonly known: KnownMessage
  readonly match: Match
}

/** Sentences about what differs from the message that it is most like, and from what is chosen. */
export function differences({ known, match }: Best, chosen: Chosen | undefined): string[] {
  const { missing, unknown, capitals, different, quoted, unquoted } = match
  const list = (keys: readonly string[]) => keys.map((key) => `“${key}”`).join(', ')
  const whose = nameOf(known)
  const faults = [
    missing.length > 0 && `The ${whose} also has ${list(missing)}.`,
    unknown.length > 0 && `The ${whose} has no ${list(unknown)}.`,
    ...capitals.map(({ given, wanted }) => `Write “${wanted}”, not “${given}”.`),
    ...different.map(({ key, value }) =>
      value === ''
        ? `“${key}” is empty.`
        : `“${key}” is “${cut(value)}”, which the ${whose} never has there.`,
    ),
    ...quoted.map((key) => `“${key}” is a number. Delete the quotation marks around its value.`),
    ...unquoted.map((key) => `“${key}” needs quotation marks around its value.`),
    wrongSetting(known),
  ].filter((fault) => typeof fault === 'string')
  const other = faults.length > 0 ? undefined : otherThanChosen(known, chosen)
  return other === undefined ? faults : [...faults, other]
}

const maxValueShown = 40

function cut(value: string): string {
  return value.length > maxValueShown ? `${value.slice(0, maxValueShown)}…` : value
}

/** Without its article. */
export function nameOf({ bridge, named }: KnownMessage): string {
  if (bridge) return `message for ${bridge.name}`
  return named ? `message “${named.name}”` : 'script’s message'
}

/** Tells which setting of the script does not go with the message box. */
function wrongSetting({ bridge, format, sendExits }: KnownMessage): string | undefined {
  if (!bridge) return undefined
  if (format !== undefined) return formatFault(format, bridge)
  if (sendExits === undefined) return undefined
  const [sends, box] = sendExits === 'on' ? ['sends', 'off'] : ['does not send', 'on']
  return `The script ${sends} stop and target to the bridge, and the message box is the one for “Stop and target” ${box}. Switch both on, or both off.`
}

function formatFault(format: string, { name, messageFormat }: Bridge): string {
  return `The script’s Message format is “${format}”. For ${name} it must be “${messageFormat}”.`
}

function otherThanChosen(
  { bridge, format }: KnownMessage,
  chosen: Chosen | undefined,
): string | undefined {
  if (bridge && chosen && bridge !== chosen.bridge) {
    return `This is the message for ${bridge.name}. On this page you chose ${chosen.bridge.name}.`
  }
  if (bridge || format === undefined) return undefined
  const wanted = chosen?.bridge.messageFormat
  if (chosen && wanted !== undefined && wanted !== format) return formatFault(format, chosen.bridge)
  return `This is the script’s message alone (Message format “${format}”). The message box needs the whole message from this page.`
}
