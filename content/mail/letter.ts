import { lines, part, text, valuesOf } from '../schema.ts'

export const letterTexts = part(
  { label: 'A letter', inMail: true, group: 'mail', where: 'Around each letter to the list.' },
  {
    tag: text('Letter', { label: 'Label', where: 'At the right edge, white on dark.', room: 10 }),
    reason: {
      consented: lines('You get this email because {address} asked for news.', {
        label: 'Why they get it, if they asked for news',
        room: 200,
        needs: ['address'],
      }),
      everyone: lines('You get this email because we sent the starter kit to {address}.', {
        label: 'Why they get it, if everyone gets it',
        room: 200,
        needs: ['address'],
      }),
    },
    end: text('No more emails like this', { label: 'Link to end it', room: 48 }),
  },
)

export const letter = valuesOf(letterTexts)
