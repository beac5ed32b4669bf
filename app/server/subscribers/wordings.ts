import { hash } from 'node:crypto'
import sql from 'sql-template-tag'
import { brand } from '#content/brand.ts'
import { landingPage } from '#content/pages/landing-page.ts'
import { signUp } from '#content/pages/sign-up.ts'
import { whatChanged } from '#content/pages/what-changed.ts'
import type { Transaction } from '../database/database.ts'

/** Words that a visitor had before them, stored once under their hash. */
interface Wording {
  hash: string
  /** JSON. */
  content: string
}

const { hero, closingCall } = landingPage

/** The page that asks for the address. */
export const signUpPage: { language: string; wording: Wording } = {
  language: brand.language,
  wording: makeWording({
    label: signUp.label,
    hero: { lede: hero.lede, button: hero.button },
    closing: { button: closingCall.button, promise: closingCall.promise },
  }),
}

/** What a consent covers, the least first: each covers the ones before it too. */
export const covers = ['versions', 'news', 'series'] as const
export type Cover = (typeof covers)[number]

const { label, textWhenOff, covers: covered } = whatChanged.announcements
/** The words beside the switch for news, wherever it is asked for, and what they cover. */
export const announcementWording: Wording & { covers: Cover } = {
  ...makeWording({ label, text: textWhenOff, covers: covered }),
  covers: covered,
}

/** Stores each version of the words once. Rows of subscribers refer to it by its hash. */
export async function keepWordings(transaction: Transaction): Promise<void> {
  for (const { hash: name, content } of [signUpPage.wording, announcementWording]) {
    await transaction.run(
      sql`insert into wordings (hash, content) values (${name}, ${content}) on conflict do nothing`,
    )
  }
}

function makeWording(words: object): Wording {
  const content = JSON.stringify({ language: brand.language, ...words })
  return { hash: contentHash(content), content }
}

/**
 * The name of a stored text: 132 bits of its SHA-256. Each sign-up stores two such names, so they
 * are short.
 */
export function contentHash(content: string): string {
  return hash('sha256', content, 'base64url').slice(0, 22)
}
