// RFC 8259 8.1: no byte order mark; it is left for JSON.parse to refuse.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The address in `{ "email": string }`, as it stands. Undefined: the body has another form. Other keys are ignored. */
export function readEmailFromJson(bytes: Buffer): string | undefined {
  let body: unknown
  try {
    body = JSON.parse(utf8.decode(bytes))
  } catch {
    return undefined
  }
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, 'email') || !('email' in body))
    return undefined
  return typeof body.email === 'string' ? body.email : undefined
}

/** The first `email` field of a form post; empty if there is none. */
export function readEmailFromForm(bytes: Buffer): string {
  return new URLSearchParams(bytes.toString('utf8')).get('email') ?? ''
}
