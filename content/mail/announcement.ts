import { part, text, valuesOf } from '../schema.ts'

export const announcementTexts = part(
  {
    label: 'A new version',
    inMail: true,
    group: 'mail',
    where: 'In the mail about a new version, which ends like every letter.',
  },
  {
    subject: text('Version {version} of your starter kit', {
      label: 'Subject',
      room: 78,
      needs: ['version'],
    }),
    preview: text('What is new, and the link to your page. Your script keeps working.', {
      label: 'Preview',
      where: 'After the subject, before the mail is opened.',
      room: 120,
    }),
    heading: text('Version {version} is out.', { label: 'Heading', room: 48 }),
    changes: text('What is new in it:', { label: 'Before the changes', room: 60 }),
    button: text('Open your page', { label: 'Button', room: 40 }),
  },
)

export const announcement = valuesOf(announcementTexts)
