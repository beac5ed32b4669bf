import type { MailServiceInput } from '../mail-service-input.ts'

/** In the order of the choice. */
const services: Record<MailServiceInput['service'], { label: string; description: string }> = {
  smtp: {
    label: 'SMTP',
    description:
      'Host, port, user and password of any service. Brevo: free up to 300 emails a day; the password is the SMTP key under Settings, SMTP & API.',
  },
  resend: {
    label: 'Resend',
    description:
      'Free up to 3,000 emails a month, at most 100 a day; then $20 a month for 50,000. The key: resend.com, API Keys, Create API Key, with sending access.',
  },
  postmark: {
    label: 'Postmark',
    description:
      'Free up to 100 emails a month, to try it; then $15 a month for 10,000. The key: postmarkapp.com, Servers, your server, API Tokens.',
  },
}

/** Facts for the choice of a service. Prices and places change: `asOf` is shown with them. */
export const mailServices = {
  asOf: 'March 2026',
  choice: [
    'Without a mail service yet, choose Resend: it costs nothing to begin with, and needs one key and your domain.',
    'Choose Postmark if you would rather pay from the start for mail that arrives within seconds.',
    'Choose SMTP for any other service, such as Brevo or Amazon SES, or for the mailbox of your own domain, which often allows only some hundred emails a day.',
  ],
  services,
}
