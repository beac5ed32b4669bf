import type { Content } from '#content/content.ts'
import type { Config } from '../settings/config.ts'

type Sender = Pick<Config, 'mailFrom' | 'source'>

/** The settings with the published name as the sender's, unless MAIL_FROM has one. */
export function withPublishedSender<Values extends Sender>(
  values: Values,
  { brand }: Pick<Content, 'brand'>,
): Values {
  const { source } = values
  const isNamed = source['MAIL_FROM'] !== undefined && values.mailFrom.name !== ''
  return isNamed ? values : { ...values, mailFrom: { ...values.mailFrom, name: brand.name } }
}
