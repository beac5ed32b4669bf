import { signUpForms } from '#contract/sign-up.ts'
import type { SignUpOrigin } from '../statistics/counts.ts'

/** No address can be one: it has no @. */
const sourceForm = /^[a-z0-9][a-z0-9._-]{0,39}$/

/** Reads what a sign-up tells of itself. Whatever stands there, it is counted and fails nothing. */
export function readOrigin(told: { form: unknown; source: unknown; typoRescued: unknown }): SignUpOrigin {
  return {
    form: signUpForms.find((known) => known === told.form) ?? 'program',
    source: readSource(told.source),
    typoRescued: told.typoRescued === true,
  }
}

/** The source in the address of the page that a plain form was posted from: browsers tell it to our own origin. */
export function sourceOfPage(referer: string | undefined, origins: ReadonlySet<string>): string | null {
  const page = URL.parse(referer ?? '')
  return page && origins.has(page.origin) ? page.searchParams.get('utm_source') : null
}

function readSource(source: unknown): string {
  if (source === undefined || source === null || source === '') return 'none'
  const folded = typeof source === 'string' ? source.toLowerCase() : ''
  return sourceForm.test(folded) ? folded : 'other'
}
