import type { SignUpRequest } from '#contract/sign-up.ts'

/** A longer source is none the server would keep, and must not make the request too long. */
const maxSourceLength = 99

/**
 * What a sign-up tells the owner's counts. `search`: of the page's own address; no cookie, nothing kept. `postedFrom`: the
 * source of the page before, where this one is the answer to its plain form.
 */
export function signUpOrigin(
  form: string,
  search: string,
  typoRescued: boolean,
  postedFrom = '',
): Omit<SignUpRequest, 'email'> {
  const source = postedFrom || new URLSearchParams(search).get('utm_source')
  return {
    form,
    ...(source && { utm_source: source.slice(0, maxSourceLength) }),
    ...(typoRescued && { typo_rescued: true }),
  }
}
