/**
 * The words of the page for unknown addresses. **Fixed** marks what the specification sets byte for
 * byte.
 */
export interface NotFoundTexts {
  readonly title: string
  /** On the dark plate at the right edge. */
  readonly tag: string
  /** Fixed. */
  readonly heading: string
  /** Fixed. */
  readonly message: string
  readonly text: string
  /** One more line at the address of a personal page that does not exist. */
  readonly deadLink: string
  /** Fixed. The way home from this page and from every small one. */
  readonly homeLink: string
}

export const notFound: NotFoundTexts = {
  title: 'Page not found',
  tag: '404',
  heading: '404',
  message: 'Oops! Page not found',
  text: 'The line ends here: there is no page at this address.',
  deadLink:
    'Links from our mail never expire. If yours does not work, sign up again and you get a new one.',
  homeLink: 'Return to Home',
}
