/** An error in the owner's content. The message says in one sentence how to fix it. */
export class ContentFault extends Error {
  // An own property, so that it survives structured cloning between threads.
  override readonly name = 'ContentFault'
}
