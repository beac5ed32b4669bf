import { lines, part, text, valuesOf } from '../schema.ts'

export const resultPageTexts = part(
  { label: 'Leaving', group: 'small-pages', where: 'Behind "No more news" in the mail.' },
  {
    opensSoon: part(
      { label: 'Opens soon' },
      {
        heading: text('This page opens soon.', {
          label: 'Heading',
          where: 'In the place of the page until you open it.',
          room: 48,
        }),
        text: lines('Come back in a little while.', {
          label: 'Text',
          where: 'In the place of the page until you open it.',
          room: 160,
        }),
      },
    ),
    sent: part(
      { label: 'Sign-up without JavaScript' },
      {
        note: lines(
          'On its way to {address}. Nothing after a few minutes? Check your spam folder, or ask for it again from the home page.',
          { label: 'Note', where: 'After a sign-up without JavaScript.', room: 240 },
        ),
      },
    ),
    alreadyOnList: part(
      { label: 'Sign-up without JavaScript' },
      {
        note: lines(
          '{address} is already on the list. Look for our first email. Not there? Check your spam folder.',
          { label: 'Note', where: 'After a repeated sign-up without JavaScript.', room: 240 },
        ),
      },
    ),
    announcements: {
      heading: text('No more news?', { label: 'Heading', room: 48 }),
      text: lines('We will send {address} no more news. Your page always has the newest version.', {
        label: 'Text',
        room: 320,
      }),
      button: text('No more news', { label: 'Button', room: 40 }),
      link: text('Unsubscribe from everything instead', { label: 'Link', room: 48 }),
    },
    news: {
      heading: text('Want the next ones too?', {
        label: 'Heading',
        where: 'Behind the question of the mail.',
        room: 48,
      }),
      link: text('No, thank you', {
        label: 'Link for no',
        where: 'Behind the question of the mail.',
        room: 48,
      }),
    },
    unsubscribe: part(
      { where: 'Behind the unsubscribe link of the mail.' },
      {
        heading: text('Stop these emails?', { label: 'Heading', room: 48 }),
        text: lines(
          'We will take {address} off the list. The download links you already have keep working.',
          { label: 'Text', room: 320 },
        ),
        button: text('Unsubscribe', { label: 'Button', room: 40 }),
        link: text('Keep my subscription', { label: 'Link', room: 48 }),
      },
    ),
    unsubscribed: {
      heading: text('You are unsubscribed.', {
        label: 'Heading',
        where: 'After unsubscribing.',
        room: 48,
      }),
      text: lines('{address} is off the list. You will get no more email from us.', {
        label: 'Text',
        where: 'After unsubscribing.',
        room: 320,
      }),
      button: text('Put me back on the list', {
        label: 'Button',
        where: 'After unsubscribing: takes it back.',
        room: 40,
      }),
    },
    block: part(
      { where: 'Behind "I did not ask for this" in the mail.' },
      {
        heading: text('You did not ask for this?', { label: 'Heading', room: 48 }),
        text: lines(
          'Somebody entered {address} on our page. Press the button, and we will send nothing more to this inbox.',
          { label: 'Text', room: 320 },
        ),
        button: text('I did not ask for this', { label: 'Button', room: 40 }),
        link: text('Yes, I asked for it', { label: 'Link', room: 48 }),
      },
    ),
    blocked: part(
      { where: 'After blocking.' },
      {
        heading: text('We will send you nothing more.', { label: 'Heading', room: 48 }),
        text: lines(
          'Your address is off the list and stays off, even if somebody enters it again. That is the only reason why we keep it. If you change your mind, come back to this page and lift the block.',
          { label: 'Text', room: 320 },
        ),
        button: text('Lift the block', { label: 'Button', room: 40 }),
      },
    ),
    unblocked: {
      heading: text('The block is lifted.', {
        label: 'Heading',
        where: 'After the block was lifted.',
        room: 48,
      }),
      text: lines('Your address is not on the list. To get the bot, sign up on the home page.', {
        label: 'Text',
        where: 'After the block was lifted.',
        room: 320,
      }),
    },
    erased: {
      heading: text('Your address is erased.', {
        label: 'Heading',
        where: 'After erasing.',
        room: 48,
      }),
      text: lines(
        'Your personal links are gone too, and the last traces leave our files within the hour. The files you have are yours to keep.',
        { label: 'Text', where: 'After erasing.', room: 320 },
      ),
      textWhenOverwritten: lines(
        'Your personal links are gone too. Old copies in the files of our database are overwritten as it is used. The files you have are yours to keep.',
        {
          label: 'Text, with PostgreSQL or a large file',
          where: 'After erasing, in the place of the text.',
          room: 320,
        },
      ),
    },
    elsewhere: {
      heading: text('This page has another address.', {
        label: 'Heading',
        where: 'After a form that was opened at another name of the site.',
        room: 48,
      }),
      text: lines('Nothing was sent. Please open the page here and press the button again:', {
        label: 'Text',
        where: 'After a form that was opened at another name of the site.',
        room: 320,
      }),
    },
    invalid: part(
      { label: 'Sign-up without JavaScript' },
      {
        heading: text('That address doesn’t look right.', {
          label: 'Heading',
          where: 'After an address that is none, without JavaScript.',
          room: 48,
        }),
        text: lines('Nothing was sent. Correct the address and press the button again.', {
          label: 'Text',
          where: 'After an address that is none, without JavaScript.',
          room: 320,
        }),
        formName: text('Correct the address', {
          label: 'Name of the form',
          where: 'Read out by screen readers.',
          room: 60,
          hidden: true,
        }),
      },
    ),
    slip: {
      text: lines('Nothing has been sent yet.', {
        label: 'Text',
        where: 'After a likely slip, without JavaScript.',
        room: 160,
      }),
    },
    error: part(
      { label: 'Sign-up without JavaScript' },
      {
        formName: text('Try again', {
          label: 'Name of the form, after an error',
          where: 'Read out by screen readers.',
          room: 60,
          hidden: true,
        }),
      },
    ),
  },
)

export const resultPages = valuesOf(resultPageTexts)
