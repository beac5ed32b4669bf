/** One thing to say about a field. */
export interface Finding {
  readonly path: string
  /** A sentence or two for the owner. */
  readonly message: string
  /** A fault stops publishing; a warning does not. */
  readonly kind: 'fault' | 'warning'
}
