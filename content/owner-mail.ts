const waitingNow = (waiting: string, why: string) => `Waiting now: ${waiting}. The reason seen: ${why}.`
const comparedWithUsual = (count: string, day: string, low: string, high: string) =>
  `${count} on ${day} (UTC). Going by the weeks before, ${low} to ${high} would have been usual for that weekday.`

/** The words of the mails that the owner gets, with OWNER_EMAIL set. What stands in ${…} is filled in. */
export const ownerMailText = {
  /** The last line of each. */
  desk: (address: string) => `Your desk: ${address}`,
  deskCode: (code: string) => ({
    subject: 'your code for the desk',
    paragraphs: [
      `Your code: ${code}`,
      'Type it into the browser that asked for it. It works for 10 minutes, and once.',
      'If you did not ask for it, do nothing: without that browser the code opens nothing. Never pass it on.',
    ],
  }),
  weeklyReport: {
    subject: (week: string, signUps: string) => `${week}: sign-ups ${signUps}`,
    opening: (week: string) => [`Your week, ${week} (UTC).`, 'In brackets: the week before.'],
    signUps: {
      heading: 'Sign-ups',
      all: 'New sign-ups',
      forms: {
        hero: 'form at the top',
        closing: 'form at the foot',
        program: 'without a form, by a program',
        unknown: 'form not known',
      } as Record<string, string>,
      source: (name: string) => `source ${name}`,
      noSource: 'source not named',
      otherSources: 'other sources',
      repeated: 'Asked again by someone on the list',
      typosRescued: 'Mistyped addresses corrected before sending',
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
      failed: 'Failed for good',
      bounced: 'Came back as undeliverable',
      unsubscribed: 'Unsubscribed',
    },
    kit: {
      heading: 'What people did with it',
      opened: 'Page opened',
      script: 'Script downloaded',
      guide: 'Guide downloaded',
      machines: (opened: string, script: string, guide: string) =>
        `Machines, such as mail scanners, are not in these: page ${opened}, script ${script}, guide ${guide}.`,
    },
    now: { heading: 'As it stands now', active: 'On the list', owed: 'Mail waiting to go out' },
    closing: [
      'More: npm run owner -- stats',
      'This mail comes once a week, because OWNER_EMAIL names this address. Unset it to get no more.',
    ],
  },
  storm: {
    changes: {
      calm: {
        subject: 'sign-ups are calm again',
        meaning: 'Sign-ups are back within what is usual. Everything works as always.',
      },
      watch: {
        subject: 'sign-ups are unusual',
        meaning:
          'Sign-ups are unusual, or were a storm until now. Nothing works differently for visitors; the server looks again every minute.',
      },
      storm: {
        subject: 'a storm of sign-ups',
        meaning:
          'Many sign-ups look as if programs made them. Nobody is refused because of it, but each inbox gets one mail a day; a second one waits for the next day. Mail to visitors whose browser has done a little work goes first.',
      },
    },
    seen: {
      signUps: (count: string, usual: string) =>
        `Sign-ups in the last ten minutes: ${count}; up to ${usual} are usual.`,
      mails: (bad: string, all: string) =>
        `Mail that was refused or came back: ${bad}, beside ${all} handed over or given up.`,
      domains: (fresh: string, all: string) =>
        `Sign-ups at mail domains not seen just before: ${fresh} of ${all} looked at.`,
    },
    closing: (at: string) => [
      `As seen on ${at}. "npm run owner -- storm on" or "storm off" decides it yourself, "storm auto" leaves it to the server.`,
      'This mail comes at each change, because OWNER_EMAIL names this address.',
    ],
  },
  alarm: {
    subject: (what: string) => `alarm: ${what}`,
    stuck: {
      isSo: 'mail is stuck',
      wasSo: 'mail was stuck',
      now: (since: string) => `No mail to subscribers has gone out since ${since}.`,
      before: (since: string, until: string) =>
        `No mail to subscribers went out from ${since} until at least ${until}.`,
      waiting: waitingNow,
      advice:
        'Run "npm run owner -- doctor" where the server runs: it says whether the mail server answers and takes the password. If the hour\'s ceiling is the reason, raise LIMIT_SITE_MAILS_PER_HOUR as far as your mail server allows. Mail that waits is tried again by itself; after its last try, "npm run owner -- deliveries retry failed" sends it again.',
    },
    late: {
      isSo: 'mail is late',
      wasSo: 'mail was late',
      now: (since: string) =>
        `Mail to subscribers goes out, but the oldest that waits has been due since ${since}.`,
      before: (since: string, until: string) =>
        `Mail to subscribers went out, but from ${since} until at least ${until} some of it was late.`,
      waiting: waitingNow,
      advice:
        'Networks with few sign-ups get their mail first, so the mail that waits is mostly that of busy ones: "npm run owner -- stats" shows where sign-ups came from, and a lower LIMIT_IP_PER_10_MIN slows false ones down. If they are real, raise LIMIT_SITE_MAILS_PER_HOUR as far as your mail server allows.',
    },
    bounces: {
      isSo: 'too much mail fails or comes back',
      seen: (delivered: string, bad: string, share: string, days: string, since: string) =>
        `From ${days} (UTC): ${delivered} handed to the mail server, ${bad} failed or came back${share}, the first on ${since}. The alarm begins above 2 %.`,
      share: (percent: string) => ` (${percent})`,
      advice:
        'Run "npm run owner -- deliveries list --state failed" for the reasons and "npm run owner -- doctor" for your DNS records. Many addresses that do not exist mean that a program fills in the form: a lower LIMIT_IP_PER_10_MIN slows it down.',
    },
    noSignUps: {
      isSo: 'no sign-ups',
      seen: (since: string, usual: string) =>
        `Not one on the full days from ${since} on (UTC). Going by the weeks before, about ${usual} would have been usual.`,
      advice: 'Open your page and sign up with an address of your own. Then run "npm run owner -- doctor".',
    },
    fewSignUps: {
      isSo: 'unusually few sign-ups',
      seen: comparedWithUsual,
      advice:
        'Open your page and sign up with an address of your own. If that works, look at where people came from before: "npm run owner -- stats".',
    },
    manySignUps: {
      isSo: 'unusually many sign-ups',
      seen: comparedWithUsual,
      advice:
        '"npm run owner -- stats" shows where they came from. If nobody has written about you, a program may be filling in the form: a lower LIMIT_IP_PER_10_MIN slows it down.',
    },
    toDo: 'What to do:',
    closing: (at: string) => [
      `As seen on ${at}.`,
      'At most one alarm is sent a day, because OWNER_EMAIL names this address. Unset it to get no more.',
    ],
  },
  announcementPaused: (version: string, why: string) => ({
    subject: `the announcement of ${version} has paused`,
    paragraphs: [
      `Of the mails sent so far, ${why}. An announcement pauses above 2 % returned or 0.1 % complaints, because mail servers then begin to refuse all your mail, also that of new sign-ups.`,
      `"npm run owner -- deliveries list --state failed" has the reasons. "npm run owner -- announce resume ${version}" goes on, slowly at first and without those that came back; "npm run owner -- announce cancel ${version}" ends it.`,
    ],
  }),
}
