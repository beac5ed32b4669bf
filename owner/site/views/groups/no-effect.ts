import type { ShownWith } from '#content/schema.ts'
import type { OwnKinds } from '#site/words/defaults.ts'
import type { Field } from '#site/words/description.ts'

/** The reason why a text has no effect right now, in words. Undefined: it has one. */
export function reasonForNoEffect({ shownWith }: Field, own: OwnKinds): string | undefined {
  return shownWith.map((one) => reasons[one](own)).find((reason) => reason !== undefined)
}

const ownScript = 'The script is yours'
const reasons: Readonly<Record<ShownWith, (own: OwnKinds) => string | undefined>> = {
  'our script': ({ script }) => (script ? ownScript : undefined),
  'our guide': ({ guide }) => (guide ? 'The guide is yours' : undefined),
  'our chart': ({ script, chart }) => {
    if (chart) return 'The chart is yours'
    return script ? ownScript : undefined
  },
  'own chart': ({ chart }) => (chart ? undefined : 'You have no chart of your own'),
  'own script': ({ script }) => (script ? undefined : 'You give away our script'),
}
