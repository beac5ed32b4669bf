import { Button, Progress, SimpleGrid } from '@mantine/core'
import type { ComponentProps } from 'react'
import { shareOf } from '../../../../stats/share.ts'
import { ActButton } from '../../parts/acts.tsx'
import { api, hasCode, type TodayState, useToday } from '../../api.ts'
import { counted, number, share, size, spanOf, timeOf } from '../../format.ts'
import { hrefOf } from '../../location.ts'
import { Glyph, pending, Section, View } from '../../parts/parts.tsx'
import { troublesOf } from '../troubles.ts'
import { SignUps } from './sign-ups.tsx'
import { Sources } from './sources.tsx'

/** Says first if all is well; the figures come after it. */
export function Today() {
  const query = useToday()
  const { data: today, error, dataUpdatedAt } = query
  const isAway = hasCode(error, 'SERVICE_UNAVAILABLE')
  const away = {
    heading: 'The database does not answer.',
    note: `This is what the desk knew at ${timeOf(dataUpdatedAt)}. New sign-ups are refused until it answers. The desk tries again every 10 seconds.`,
  }
  if (!today) return <View heading={isAway ? away.heading : pending} query={query} />
  return (
    <View {...(isAway ? away : { ...headOf(today), query })}>
      <Looks today={today} />
      {today.announcement && <UnderWay announcement={today.announcement} />}
      <SignUps today={today} />
      <SimpleGrid>
        <Funnel period={today.period} />
        <Sources today={today} />
      </SimpleGrid>
      <section>
        <a href={hrefOf('what-they-get')}>What they get</a>: mail, share image, guide and script, as
        the next visitor gets them.
      </section>
    </View>
  )
}

/** The gravest trouble takes the heading; the others are sentences below. */
function headOf(today: TodayState): ComponentProps<typeof View> {
  const [worst, ...others] = troublesOf(today)
  const { at, disk, lastSignUpAt } = today
  if (worst) {
    return {
      heading: worst.heading,
      note: [worst.text, ...others.map(({ heading, text }) => `${heading} ${text}`)].map((one) => (
        <p key={one}>{one}</p>
      )),
      actions: (
        <Button component="a" variant="filled" href={hrefOf(worst.view)}>
          See what to do
        </Button>
      ),
    }
  }
  const last =
    lastSignUpAt === null
      ? 'Nobody has signed up yet.'
      : `The last sign-up was ${spanOf(at - lastSignUpAt)} ago.`
  return {
    heading: 'All is well.',
    note: `Mail goes out. The database answers, ${disk ? 'the disk has room, ' : ''}no alarm is open. ${last}`,
    actions: lastSignUpAt === null && (
      <Button component="a" href="/">
        Open your page
      </Button>
    ),
  }
}

function Looks({ today: { mail, database, disk, alarms } }: { today: TodayState }) {
  const { lastSentAt, trouble, waiting } = mail
  const ms = database.answeredInMs < 1 ? '<1' : number(Math.round(database.answeredInMs))
  const looks: [name: string, isWell: boolean, value: string][] = [
    [
      'Mail',
      !trouble,
      lastSentAt === null ? 'nothing sent yet' : `last sent ${timeOf(lastSentAt)}`,
    ],
    ['Waiting', !trouble, number(waiting)],
    ['Database', true, `answers, ${ms} ms`],
    ['Disk', !disk?.isLow, disk ? `${size(disk.freeBytes)} free` : 'not on this machine'],
    ['Alarms', alarms.length === 0, alarms.length === 0 ? 'none' : number(alarms.length)],
  ]
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 5 }} mt="lg" aria-label="What was looked at">
      {looks.map(([name, isWell, value]) => (
        <div key={name}>
          <Glyph of={isWell ? 'ok' : 'wrong'} />
          <span className="soft">{name}</span> <span className="note">{value}</span>
        </div>
      ))}
    </SimpleGrid>
  )
}

function UnderWay({ announcement }: { announcement: NonNullable<TodayState['announcement']> }) {
  const { name, title, to, sent, recipients, endsAt, state } = announcement
  const end = endsAt === null ? '' : `, done at about ${timeOf(endsAt)}`
  const row = {
    words: (
      <>
        <a href={hrefOf('announce')}>{title}</a> to{' '}
        {to === 'consented' ? 'those who asked for news' : 'everyone on the list'}
        <Progress
          mt="xs"
          value={(100 * sent) / Math.max(1, recipients)}
          aria-label={`${title}, sent`}
        />
      </>
    ),
    note: `${number(sent)} of ${number(recipients)} sent${end}`,
    acts: state === 'running' && (
      <ActButton words="Pause" act={() => api.announce.pause.mutate({ name })} />
    ),
    axis: share(sent, recipients),
  }
  return <Section heading="Under way" rows={[row]} />
}

/** With fewer sign-ups a share says nothing. */
const minForShare = 5

function Funnel({ period }: { period: TodayState['period'] }) {
  const {
    views,
    signUps,
    signUpsViaForms,
    delivered,
    pageOpened,
    scriptDownloaded,
    guideDownloaded,
  } = period
  const ofViews = signUps < minForShare ? null : shareOf(signUpsViaForms, views.people, 1)
  const byPrograms = signUps - signUpsViaForms
  const step = (
    words: string,
    count: number,
    note = shareOf(count, signUps)?.concat(' of sign-ups'),
  ) => ({
    words,
    ...(signUps >= minForShare && { note }),
    share: count / Math.max(signUps, 1),
    axis: number(count),
  })
  return (
    <Section
      heading={ofViews ? `${ofViews} of views became sign-ups` : counted(views.people, 'view')}
      note="People only. Pages that a CDN answers are not counted."
      rows={[
        {
          words: 'Views',
          note: `and ${number(views.machines)} by machines`,
          axis: number(views.people),
        },
        step(
          'Signed up',
          signUps,
          byPrograms > 0 ? `${number(byPrograms)} by programs` : undefined,
        ),
        step('Mail delivered', delivered, 'with mails sent again'),
        step('Page opened', pageOpened.people),
        step('Script downloaded', scriptDownloaded.people),
        step('Guide downloaded', guideDownloaded.people),
      ]}
    />
  )
}
