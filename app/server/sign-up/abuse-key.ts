const dotsDoNotCount = new Set(['gmail.com', 'googlemail.com'])

/**
 * Whose inbox an identity fills: tags do not make another person, nor do dots at Gmail. Only for counting; as identities
 * such addresses stay different.
 */
export function abuseKey(identity: string): string {
  const at = identity.lastIndexOf('@')
  const domain = identity.slice(at + 1)
  const [untagged = ''] = identity.slice(0, at).split('+', 1)
  if (!dotsDoNotCount.has(domain)) return `${untagged}@${domain}`
  return `${untagged.replaceAll('.', '')}@gmail.com`
}
