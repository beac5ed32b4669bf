/**
 * The words of the page for unknown addresses. **Fixed** marks what the specification sets byte for
 * byte.
 */
export const notFound = {
  title: 'Page not found',
  /** On the dark plate at the right edge. */
  tag: '404',
  /** Fixed. */
  heading: '404',
  /** Fixed. */
  message: 'Oops! Page not found',
  text: 'The line ends here: there is no page at this address.',
  /** One more line at the address of a personal page that does not exist. */
  deadLink:
    'Links from our mail never expire. If yours does not work, sign up again and you get a new one.',
  /** Fixed. The way home from this page and from every small one. */
  homeLink: 'Return to Home',
}
