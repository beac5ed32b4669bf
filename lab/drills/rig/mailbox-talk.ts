/** What the drill tells its SMTP peer to do from now on. */
export type MailboxBehaviour =
  /** `most`: of all the mails it ever kept; those after it wait for their answer until more are allowed. */
  | { does: 'accept'; afterMs?: number; most?: number }
  | { does: 'answer'; code: number; to: 'greeting' | 'recipient' | 'data' }
  /** `data`: it keeps the whole mail, and never says so. */
  | { does: 'stay-mute'; at: 'greeting' | 'data' }
  | { does: 'cut-in-data' }
  /** It keeps the whole mail, and the line breaks before its 250. */
  | { does: 'cut-before-answer' }
  /** Nothing listens. */
  | { does: 'be-down' }

export interface KeptMail {
  messageId: string
  to: string
  /** Of the bytes between DATA and the final dot. */
  sha256: string
  /** Whether a 250 went out for it. */
  answered: boolean
  raw?: string
}

export type ToMailbox =
  | { kind: 'behave'; behaviour: MailboxBehaviour; keepRaw: boolean }
  | { kind: 'tell-when-idle'; ticket: number }
export type FromMailbox =
  | { kind: 'open'; port: number }
  | { kind: 'behaving' }
  | { kind: 'mail'; mail: KeptMail }
  | { kind: 'refused' }
  | { kind: 'idle'; ticket: number }

/** The words of its 250, by which a preloaded hook knows it among all that comes over a socket. */
export const keptReply = 'Kept by the drill'
