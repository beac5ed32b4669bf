import { hash } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Content } from '#content/content.ts'
import { type ConsentPlace, consentWords } from '#contract/consent-words.ts'
import type { Reader, Transaction } from '../database/database.ts'

/** Words that a visitor had before them, stored once under their hash. */
export interface Wording {
  hash: string
  /** JSON. */
  content: string
}

/** The words that ask for something, as they are published. */
export interface Wordings {
  /** On the page that asks for the address. */
  readonly signUp: Wording
  /** Wherever consent to news is asked for. */
  readonly news: Readonly<Record<ConsentPlace, Wording>>
}

export function wordingsOf(content: Content): Wordings {
  const { brand, landingPage, signUp } = content
  const { hero, closingCall } = landingPage
  const words = consentWords(content)
  const newsWording = (place: ConsentPlace) =>
    makeWording(brand.language, { place, ...words[place] })
  return {
    signUp: makeWording(brand.language, {
      label: signUp.label,
      hero: { lede: hero.lede, button: hero.button, reassurance: hero.reassurance },
      closing: { button: closingCall.button, promise: closingCall.promise },
    }),
    news: {
      switch: newsWording('switch'),
      asked: newsWording('asked'),
      mail: newsWording('mail'),
    },
  }
}

/** The words of a consent that were published once. A page may have been open since then. */
export async function findNewsWording(reader: Reader, name: string): Promise<Wording | undefined> {
  const row = await reader.row<{ content: string }>(
    sql`select content from wordings where hash = ${name}`,
  )
  if (!row) return undefined
  const isNews = JSON.parse(row.content).place !== undefined // the words of a sign-up have none
  return isNews ? { hash: name, content: row.content } : undefined
}

/** Stores each version of the words once. Rows of subscribers refer to it by its hash. */
export async function keepWordings(
  transaction: Transaction,
  { signUp, news }: Wordings,
): Promise<void> {
  for (const { hash: name, content } of [signUp, ...Object.values(news)]) {
    await transaction.run(
      sql`insert into wordings (hash, content) values (${name}, ${content}) on conflict do nothing`,
    )
  }
}

function makeWording(language: string, words: object): Wording {
  const content = JSON.stringify({ language, ...words })
  return { hash: contentHash(content), content }
}

/**
 * The name of a stored text: 132 bits of its SHA-256. Each sign-up stores two such names, so they
 * are short.
 */
export function contentHash(content: string): string {
  return hash('sha256', content, 'base64url').slice(0, 22)
}
