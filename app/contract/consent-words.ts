import type { Content } from '#content/content.ts'

/**
 * Where consent to news is asked for. `asked`: on the personal page, after a copy or a download.
 */
export type ConsentPlace = 'switch' | 'asked' | 'mail'

/**
 * The words on the screen when somebody agrees to news, from top to bottom: the pages show these,
 * and the consent is stored with them.
 */
export function consentWords({ resultPages, whatChanged }: Content) {
  const { label, textWhenOff, textWhenAsked, askButton } = whatChanged.announcements
  return {
    switch: { label, text: textWhenOff },
    asked: { question: `${label}?`, text: textWhenAsked, button: askButton },
    // Behind the question of the mail: /kit/TOKEN/news.
    mail: {
      heading: resultPages.news.heading,
      text: `${label}. ${textWhenAsked}`,
      button: askButton,
    },
  } satisfies Record<ConsentPlace, object>
}

/** The hidden field of a form that asks for consent: which words it shows. */
export const wordingField = 'wording'
