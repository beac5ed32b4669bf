/** The words of the mails that the owner gets, with OWNER_EMAIL set. {names} are filled in. */
export const ownerMailText = {
  /** The last line of each. */
  desk: 'Your desk: {address}',
  deskCode: {
    subject: 'your code for the desk',
    paragraphs: [
      'Your code: {code}',
      'Type it into the browser that asked for it. It works once, within 10 minutes.',
      'If you did not ask for it, do nothing: the code works in no other browser. Never pass it on.',
    ],
  },
  weeklyReport: {
    subject: '{week}: sign-ups {signUps}',
    opening: ['Your week, {week} (UTC).', 'In brackets: the week before.'],
    signUps: {
      heading: 'Sign-ups',
      views: 'Views of the page',
      all: 'New sign-ups',
      forms: {
        hero: 'form at the top',
        closing: 'form at the foot',
        program: 'by a program',
        unknown: 'form not known',
      } as Record<string, string>,
      repeated: 'Repeated by people on the list',
      suggestions: 'Mistyped addresses corrected before sending',
      limitsHit: 'Limits hit',
      limits: {
        network: 'too many from one network',
        address: 'too many for one inbox',
        domain: 'too many for one mail domain',
        site: "the hour's ceiling of the whole site",
      } as Record<string, string>,
    },
    mail: {
      heading: 'Mail',
      delivered: 'Handed to the mail server',
      arrived: 'Arrived, as the provider reports it',
      failed: 'Failed for good',
      bounced: 'Came back as undeliverable',
      unsubscribed: 'Unsubscribed',
      blocked: 'Blocked your mail',
      erased: 'Erased',
    },
    kit: {
      heading: 'What people did with it',
      opened: 'Page opened',
      script: 'Script downloaded',
      guide: 'Guide downloaded',
      machines:
        'Not counted above are machines such as mail scanners: page {opened}, script {script}, guide {guide}.',
    },
    sources: {
      heading: 'Sources',
      none: 'not named',
      other: 'others',
      line: '{source}: views {views}, sign-ups {signUps}, pages opened {opened}, scripts downloaded {gotScript}',
    },
    now: { heading: 'Right now', active: 'On the list', waiting: 'Mail waiting to go out' },
    closing: [
      'More figures are in the view Today at your desk.',
      'This mail comes once a week, because this address owns the desk.',
    ],
  },
  /** The only words for mail in trouble: the log, the check-up, the desk and alarms have them. */
  mailTrouble: {
    away: {
      what: 'the mail server takes no mail',
      since: 'It has taken none for {span}.',
      remedy: '',
    },
    refusing: {
      what: 'the mail server gives many people the same refusal',
      since:
        'For {span} it has said the same about people of different domains, so the fault is not theirs. They stay on the list.',
      remedy:
        "Look in your mail provider's account for a limit or a block, and run Check-up at your desk: it looks at your DNS records.",
    },
    stuck: {
      what: 'mail is stuck',
      since: 'None has gone out for {span}.',
      remedy:
        'The view Mail at your desk says what to do about it; Check-up there says whether the mail server answers and takes the password.',
    },
    late: {
      what: 'mail is late',
      since: 'Email is being delivered, but the oldest has been due for {span}.',
      remedy: 'The view Mail at your desk shows how much is waiting.',
    },
    /** Nothing is broken: many people signed up. */
    full: {
      what: 'the mails of this hour are used up',
      text: "{allowed} mails an hour are allowed, and {used} have gone out in the last hour. Waiting now: {waiting}; the next go out at {next}. Nothing is broken or lost. If the sign-ups are real, allow more mails an hour in the server's settings, as far as your mail server takes them, and restart; if not, allow fewer sign-ups from each network. The view Today at your desk shows where they come from.",
    },
    waiting: '{mails} waiting. Nothing is lost, and sign-ups are still taken.',
  },
  /** Each error is told once, and its end. The condition says what it is (owner/conditions/). */
  alarm: {
    subject: 'alarm: {what}',
    allClear: 'all clear: {what}',
    wasSo: 'It began on {since} UTC ({what}) and was last seen on {until} UTC.',
    database: {
      away: {
        subject: 'alarm: the database does not answer',
        paragraphs: [
          'The database has not answered since {since} UTC. The page is served; sign-ups are asked to try again later, and nothing that was acknowledged is lost.',
          'Look at the database server, or at the disk of the database file. The server recovers automatically.',
        ],
      },
      back: {
        subject: 'all clear: the database answers again',
        paragraphs: ['It had not answered since {since} UTC. Sign-ups are taken again.'],
      },
    },
    closing:
      'Seen on {at} UTC. You get one mail when a problem begins and one when it ends, because this address owns the desk.',
  },
}
