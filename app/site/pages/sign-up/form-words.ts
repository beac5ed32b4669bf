import type { Content } from '#content/content.ts'

/**
 * The words that a form needs in the browser. They travel with the page, so that the code is the
 * same for all words.
 */
export interface FormWords {
  readonly signUp: Content['signUp']
  readonly note: Content['note']
  /** Fill the note's `{brand}` and `{subject}`. */
  readonly brand: string
  readonly subject: string
}

export function formWords({ signUp, note, brand, starterEmail }: Content): FormWords {
  return { signUp, note, brand: brand.name, subject: starterEmail.subject }
}
