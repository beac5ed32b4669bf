import type { Content } from '#content/content.ts'
import type { Config } from '../settings/config.ts'

type Sender = Pick<Config, 'mailFrom' | 'supportEmail' | 'variablesSet'>

/**
 * The settings with the published name as the sender's, and the published support address, where
 * neither the environment nor the desk's mail service gives another.
 */
export function withPublishedSender<Values extends Sender>(
  values: Values,
  { brand }: Pick<Content, 'brand'>,
): Values {
  const { variablesSet } = values
  const isNamed = variablesSet.has('MAIL_FROM') && values.mailFrom.name !== ''
  const mailFrom = isNamed ? values.mailFrom : { ...values.mailFrom, name: brand.name }
  const supportEmail = variablesSet.has('SUPPORT_EMAIL')
    ? values.supportEmail
    : brand.supportAddress || mailFrom.address
  return { ...values, mailFrom, supportEmail }
}
