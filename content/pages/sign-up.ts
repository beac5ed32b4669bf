import { lines, part, text, valuesOf } from '../schema.ts'

export const signUpTexts = part(
  {
    label: 'Form',
    group: 'form',
    where: 'Under the field, before an address with a likely slip is sent.',
  },
  {
    label: text('Email address', {
      label: 'Label of the field',
      where: 'Read out by screen readers.',
      room: 48,
      hidden: true,
    }),
    placeholder: text('Enter your email address', {
      label: 'In the empty field',
      where: 'In both forms.',
      room: 40,
    }),
    processing: text('Processing...', {
      label: 'Button while it works',
      where: 'In both forms.',
      room: 24,
    }),
    invalid: text('Please enter a valid email address', {
      label: 'No valid address',
      where: 'Under the field.',
      room: 80,
    }),
    slip: {
      question: text('Did you mean {meant}?', { label: 'Question', room: 60, needs: ['meant'] }),
      use: text('Yes, use it', { label: 'Button for the likely address', room: 40 }),
      keep: text('No, keep {typed}', {
        label: 'Button to keep what was typed',
        room: 60,
        needs: ['typed'],
      }),
    },
    wait: text('Too many sign-ups right now. Try again {time}.', {
      label: 'Too many sign-ups',
      where: 'Under the field. The time is filled in.',
      room: 100,
      needs: ['time'],
    }),
    toasts: part(
      { label: 'Messages', where: 'In a corner of the page, after a press of the button.' },
      {
        sent: {
          title: text('Success! Check your email for the download link.', {
            label: 'Sent, title',
            room: 80,
          }),
          description: lines('The bot script and setup guide are on their way!', {
            label: 'Sent, text',
            room: 160,
          }),
        },
        alreadyOnList: {
          title: text("You're already on the list!", {
            label: 'On the list already, title',
            room: 80,
          }),
          description: lines('Check your inbox for the original email with your download.', {
            label: 'On the list already, text',
            room: 160,
          }),
        },
        refused: {
          title: text('Oops! Something went wrong.', { label: 'Refused, title', room: 80 }),
          description: lines('Please try again or {contactSupport} if the issue persists.', {
            label: 'Refused, text',
            room: 160,
          }),
        },
        unreachable: {
          title: text('Network error occurred.', { label: 'No network, title', room: 80 }),
          description: lines('Please check your connection and try again.', {
            label: 'No network, text',
            room: 160,
          }),
        },
        contactSupport: text('contact support', { label: 'Link to the support address', room: 40 }),
        region: text('Notifications', {
          label: 'Name of the messages',
          where: 'Read out by screen readers.',
          room: 40,
          hidden: true,
        }),
        dismiss: text('Dismiss', {
          label: 'Dismiss',
          where: 'Read out by screen readers.',
          room: 40,
          hidden: true,
        }),
      },
    ),
  },
)

export const signUp = valuesOf(signUpTexts)
