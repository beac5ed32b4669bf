/** What ids and fragments of the two forms begin with. */
export const signUpAnchors = { hero: 'sign-up', closing: 'sign-up-below' } as const
