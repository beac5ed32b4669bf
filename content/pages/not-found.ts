/** The words of the page for unknown addresses. **Fixed** marks what the specification sets byte for byte. */
export const notFoundPage = {
  title: 'Page not found',
  /** On the dark plate at the right edge. */
  tag: '404',
  /** Fixed. */
  heading: '404',
  /** Fixed. */
  message: 'Oops! Page not found',
  text: 'The line stops here: this address has no page.',
  /** Fixed. Every small page uses it for its way home. */
  home: 'Return to Home',
} as const
