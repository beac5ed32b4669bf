/** An error in the owner's content. The message says in one sentence how to fix it. */
export class ContentError extends Error {
  // An own property, so that it survives structured cloning between threads.
  override readonly name = 'ContentError'
}
