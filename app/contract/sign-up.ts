/** The function a sign-up calls, in the protocol of Supabase's functions endpoint. */
export const signUpFunction = 'send-starter-bot-email'
export const signUpPath = `/functions/v1/${signUpFunction}`

/** The longest body the function reads; a longer one is answered with 413. */
export const maxSignUpBodyBytes = 4096

/** The page's forms, by the names the owner's counts know them under. */
export const signUpForms = ['hero', 'closing'] as const

/** All but the address is for the owner's counts: what is missing there, or makes no sense, fails no sign-up. */
export interface SignUpRequest {
  email: string
  /** One of `signUpForms`. */
  form?: string
  /** What the page's own address has under this name. */
  utm_source?: string
  /** The address is the one that the form had suggested. */
  typo_rescued?: boolean
}

/** 200: the sign-up is on disk. `alreadyExists`: it was before. */
export interface SignUpAccepted {
  success: true
  alreadyExists: boolean
}

/** Every other status: the error's code is stable, its message is for people. */
export interface SignUpRejected {
  error: { code: SignUpErrorCode; message: string }
}

export type SignUpErrorCode =
  | 'bad_request'
  | 'invalid_email'
  | 'unauthorized'
  | 'forbidden_origin'
  | 'method_not_allowed'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'too_many_requests'
  | 'unavailable'
  | 'internal_error'
