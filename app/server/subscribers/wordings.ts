import { brand } from '#content/brand.ts'
import { closingCall, hero } from '#content/pages/landing-page.ts'
import { signUpText } from '#content/pages/sign-up.ts'
import { type Connection, contentHash } from '../database/database.ts'
import { whatChanged } from '#content/releases.ts'

/** The page that asks for the address. */
export const signUpPage = {
  language: brand.language,
  wording: makeWording({
    label: signUpText.label,
    hero: { lede: hero.lede, button: hero.button },
    closing: { button: closingCall.button, promise: closingCall.promise },
  }),
}

const { label, textWhenOff } = whatChanged.announcements
/** The words beside the switch for mail about new versions. */
export const announcementWording = makeWording({ label, text: textWhenOff })

/** Stores each version of the words once. Rows of subscribers refer to it by its hash. */
export async function keepWordings(connection: Connection): Promise<void> {
  await connection
    .insertInto('wordings')
    .values([signUpPage.wording, announcementWording])
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The words shown to a visitor, stored under their hash. */
function makeWording(words: object) {
  const content = JSON.stringify({ language: brand.language, ...words })
  return { hash: contentHash(content), content }
}
