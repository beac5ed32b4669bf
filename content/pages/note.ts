import { lines, part, text, valuesOf } from '../schema.ts'

/**
 * Under the form, after a sign-up. It must be true behind a relay and after a refusal. `{subject}`
 * is that of the mail, `{brand}` the product's name. No sentence says that we go on trying, or
 * which server has not taken the mail: it would tell whether a mailbox exists.
 */
export const noteTexts = part(
  { label: 'After a sign-up', group: 'form', where: 'Under the form, after a sign-up.' },
  {
    views: {
      'on-its-way': {
        heading: text('On its way', { label: 'On its way, heading', room: 40 }),
        text: lines(
          'The script and the guide are going to {address}. We’ll tell you here when the email has been sent.',
          { label: 'On its way, text', room: 220 },
        ),
      },
      sent: {
        heading: text('Sent', { label: 'Sent, heading', room: 40 }),
        text: lines('Look for “{subject}” from {brand}. Not there? Check your spam folder.', {
          label: 'Sent, text',
          room: 220,
        }),
      },
      'sent-again': {
        heading: text('Sent again', { label: 'Sent again, heading', room: 40 }),
        text: lines(
          'We’ve sent it again to {address}. Look for “{subject}” from {brand}. Not there? Check your spam folder.',
          { label: 'Sent again, text', room: 220 },
        ),
      },
      slow: {
        heading: text('Slower than usual', { label: 'Slow, heading', room: 40 }),
        text: lines(
          'Some mail services hold a first message for a few minutes. You can close this page; we will still send the email.',
          { label: 'Slow, text', room: 220 },
        ),
      },
      'not-taken': {
        heading: text('Not taken yet', { label: 'Not taken yet, heading', room: 40 }),
        text: lines(
          'Is {address} spelled right? If it is, wait a little: many servers accept a new sender only on the second try.',
          { label: 'Not taken yet, text', room: 220 },
        ),
      },
      'all-slow': {
        heading: text('Mail is slow right now', { label: 'All mail is slow, heading', room: 40 }),
        text: lines(
          'Your address is fine. We will send your email to {address} as soon as mail works again. You can close this page.',
          { label: 'All mail is slow, text', room: 220 },
        ),
      },
      listed: {
        heading: text('You’re already on the list', {
          label: 'On the list already, heading',
          room: 40,
        }),
        text: lines('Look for “{subject}” from {brand}. Not there? Check your spam folder.', {
          label: 'On the list already, text',
          room: 220,
        }),
      },
      inbox: {
        heading: text('Check your inbox', {
          label: 'Nothing is known of the mail, heading',
          room: 40,
        }),
        text: lines(
          'It can take a few minutes. Look for “{subject}” from {brand}. Not there? Check your spam folder.',
          { label: 'Nothing is known of the mail, text', room: 220 },
        ),
      },
    },
    change: {
      question: text('Not {address}?', {
        label: 'Not this address?',
        room: 60,
        needs: ['address'],
      }),
      button: text('Change it', { label: 'Button to change it', room: 30 }),
    },
    resend: {
      question: text('Nothing there?', {
        label: 'Nothing there?',
        where: 'Once it can be sent again.',
        room: 60,
      }),
      button: text('Send it again', {
        label: 'Button to send it again',
        where: 'Once it can be sent again.',
        room: 30,
      }),
    },
    resendLater: text('Nothing yet? You can ask again {time}.', {
      label: 'Again later',
      where: 'Before it can be sent again.',
      room: 80,
      needs: ['time'],
    }),
    time: {
      today: text('at {clock}', {
        label: 'Time today',
        where: 'In the two sentences with a time.',
        room: 30,
        needs: ['clock'],
      }),
      tomorrow: text('tomorrow at {clock}', {
        label: 'Time tomorrow',
        where: 'In the two sentences with a time.',
        room: 40,
        needs: ['clock'],
      }),
    },
    openWebmail: text('Open {webmail}', {
      label: 'Link to the mail service',
      where: 'Such as Gmail.',
      room: 40,
      needs: ['webmail'],
    }),
    opensNewTab: text('(opens in a new tab)', {
      label: 'New tab',
      where: 'Read out by screen readers.',
      room: 40,
      hidden: true,
    }),
  },
)

export const note = valuesOf(noteTexts)
