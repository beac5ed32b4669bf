/** What the owner wrote cannot be built, and what to do, in one sentence. */
export class ContentFault extends Error {
  // A field of its own, so that it survives the way out of a thread.
  override readonly name = 'ContentFault'
}
