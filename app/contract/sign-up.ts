/** A sign-up calls this function by the protocol of Supabase's functions endpoint. */
export const signUpFunction = 'send-starter-bot-email'
export const functionsPath = '/functions/v1/'
export const signUpPath = `${functionsPath}${signUpFunction}`

/** A longer body gets 413. */
export const maxSignUpBodyBytes = 4096

/** The page's forms, as the owner's statistics name them. */
export const signUpForms = ['hero', 'closing'] as const

/** The JSON body. Unknown keys are ignored. */
export interface SignUpRequest {
  email: string
}

/**
 * Carries the attribution of a sign-up, for the owner's statistics. The page sends it to its own
 * origin only, where it needs no preflight. A missing or malformed value never fails a sign-up.
 */
export const attributionHeader = 'x-attribution'

interface Attribution {
  /** One of `signUpForms`. */
  form: string
  /** The `utm_source` of the page's own address. */
  campaign?: string | null | undefined
  /** The address is the one that the form suggested. */
  suggestionAccepted?: boolean
}

/** The server counts longer campaigns as `other` anyway. */
const maxCampaignLength = 99

/** The header's value: `form=hero&campaign=newsletter&suggestion=accepted`, url-encoded. */
export function formatAttribution({ form, campaign, suggestionAccepted }: Attribution): string {
  const fields = new URLSearchParams({ form })
  if (campaign) fields.set('campaign', campaign.slice(0, maxCampaignLength))
  if (suggestionAccepted) fields.set('suggestion', 'accepted')
  return fields.toString()
}

/** The answer of status 200: the sign-up is on disk. */
export interface SignUpAccepted {
  success: true
  /** The address was on the list before. */
  alreadyExists: boolean
  /** ISO 8601: this request sent the mail again, at this time. */
  resentAt: string | null
  /** ISO 8601: this request did not send the mail again; from this time on another one does. */
  nextResendAt: string | null
  /**
   * Valid for 30 minutes: `receiptsPath` followed by it answers with the status of the mail. Null:
   * this request queued no mail, or HIDE_ALREADY_EXISTS is set.
   */
  receipt: string | null
}

export const receiptsPath = '/receipts/'

export interface ReceiptStatus {
  /** `slow`: waiting for 8 seconds or more, for any reason. */
  state: 'waiting' | 'handed-over' | 'slow'
  /** ISO 8601. */
  handedOverAt: string | null
  /**
   * No relay takes our mail, or mail is late for everybody. The note then does not doubt the
   * address.
   */
  allMailIsSlow: boolean
}

export const slowAfterMs = 8_000
/** Longer than the default time limit of a mail, after which a mute relay is known as one. */
const notTakenAfterMs = 40_000

/** The state of a mail, as the note tells it. */
export type MailStage = 'sent' | 'all-slow' | 'on-its-way' | 'slow' | 'not-taken'

/**
 * The stage of a mail while the note follows it. It follows from the age of the receipt, never from
 * a receiving server's answer, so that a mailbox that does not exist looks like a slow one.
 * `status`: undefined until the first one arrives.
 */
export function mailStage(status: ReceiptStatus | undefined, ageMs: number): MailStage {
  if (status?.state === 'handed-over') return 'sent'
  if (status?.allMailIsSlow) return 'all-slow'
  if (ageMs < slowAfterMs) return 'on-its-way'
  return ageMs < notTakenAfterMs ? 'slow' : 'not-taken'
}

/**
 * The answer of every other status. Programs may rely on the code: app/server/routes/sign-up.ts
 * lists them. The message is for people.
 */
export interface SignUpRejected {
  error: { code: string; message: string }
}
