import type { Content } from '#content/content.ts'
import { type DescriptionOf, lines, text } from './describe.ts'

const slip = 'Under the field, before an address with a likely slip is sent.'
const toast = 'In a corner of the page, after a press of the button.'

export const signUp: DescriptionOf<Content['signUp']> = {
  label: text('Label of the field', 'Read out by screen readers.', 48, { hidden: true }),
  placeholder: text('In the empty field', 'In both forms.', 40),
  processing: text('Button while it works', 'In both forms.', 24),
  invalid: text('No valid address', 'Under the field.', 80),
  slip: {
    question: text('Question', slip, 60, { needs: ['meant'] }),
    use: text('Button for the likely address', slip, 40),
    keep: text('Button to keep what was typed', slip, 60, { needs: ['typed'] }),
  },
  wait: text('Too many sign-ups', 'Under the field. The time is filled in.', 100, {
    needs: ['time'],
  }),
  toasts: {
    sent: fixedToast('Sent'),
    alreadyOnList: fixedToast('On the list already'),
    refused: fixedToast('Refused'),
    unreachable: fixedToast('No network'),
    contactSupport: text('Link to the support address', toast, 40),
    region: text('Name of the messages', 'Read out by screen readers.', 40, { hidden: true }),
    dismiss: text('Dismiss', 'Read out by screen readers.', 40, { hidden: true }),
  },
}

function fixedToast(name: string) {
  return {
    title: text(`${name}, title`, toast, 80),
    description: lines(`${name}, text`, toast, 160),
  }
}

const afterSignUp = 'Under the form, after a sign-up.'

export const note: DescriptionOf<Content['note']> = {
  views: {
    'on-its-way': view('On its way'),
    sent: view('Sent'),
    'sent-again': view('Sent again'),
    slow: view('Slow'),
    'not-taken': view('Not taken yet'),
    'all-slow': view('All mail is slow'),
    listed: view('On the list already'),
    inbox: view('Nothing is known of the mail'),
  },
  change: {
    question: text('Not this address?', afterSignUp, 60, { needs: ['address'] }),
    button: text('Button to change it', afterSignUp, 30),
  },
  resend: {
    question: text('Nothing there?', 'Once it can be sent again.', 60),
    button: text('Button to send it again', 'Once it can be sent again.', 30),
  },
  resendLater: text('Again later', 'Before it can be sent again.', 80, { needs: ['time'] }),
  time: {
    today: text('Time today', 'In the two sentences with a time.', 30, { needs: ['clock'] }),
    tomorrow: text('Time tomorrow', 'In the two sentences with a time.', 40, { needs: ['clock'] }),
  },
  openWebmail: text('Link to the mail service', 'Such as Gmail.', 40, { needs: ['webmail'] }),
  opensNewTab: text('New tab', 'Read out by screen readers.', 40, { hidden: true }),
}

function view(name: string) {
  return {
    heading: text(`${name}, heading`, afterSignUp, 40),
    text: lines(`${name}, text`, afterSignUp, 220),
  }
}
