/** The tools that an export is written for. */
export const toolNames = {
  kit: 'Kit',
  mailchimp: 'Mailchimp',
  mailerlite: 'MailerLite',
  buttondown: 'Buttondown',
  listmonk: 'listmonk',
  ghost: 'Ghost',
  beehiiv: 'beehiiv',
} as const

export type Tool = keyof typeof toolNames
export const tools = Object.keys(toolNames) as Tool[] // they are its keys
