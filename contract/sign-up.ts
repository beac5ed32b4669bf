/** The function a sign-up calls, in the protocol of Supabase's functions endpoint. */
export const signUpFunction = 'send-starter-bot-email'
export const signUpPath = `/functions/v1/${signUpFunction}`

/** The longest body the function reads; a longer one is answered with 413. */
export const maxSignUpBodyBytes = 4096

export interface SignUpRequest {
  email: string
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
