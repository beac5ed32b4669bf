/** The providers of MAIL_API, and the default of MAIL_API_BASE_URL for each. */
export const mailApiBaseUrls = {
  resend: 'https://api.resend.com',
  postmark: 'https://api.postmarkapp.com',
}

export type MailApiName = keyof typeof mailApiBaseUrls

export const mailApiNames = Object.keys(mailApiBaseUrls) as MailApiName[]
