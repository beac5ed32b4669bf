/** What an endpoint gives back: plain values, so that it can be tested without a socket. Header names in lower case. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: Buffer | string
}
