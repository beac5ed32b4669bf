/** The address of the owner's desk, for its pages, its API and the lines that lead to it. */
export const deskPath = '/desk'
/** Takes the first link's secret from behind the #. */
export const deskStartPath = `${deskPath}/start`
export const deskApiPath = `${deskPath}/api`

type View =
  'ready' | 'mail-service' | 'address' | 'page' | 'people' | 'mail' | 'letters' | 'check-up' | 'you'

/**
 * A view of the desk, below its path, such as `people/12`; behind a `#` the part of it that is
 * shown. Today: empty.
 */
export type DeskPlace = '' | View | `${View}/${string}` | `${View}#${string}`
