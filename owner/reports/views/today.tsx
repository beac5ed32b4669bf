import { Button, SimpleGrid } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { hasCode } from '#owner/desk/views/api/errors.ts'
import { polled } from '#owner/desk/views/api/queries.ts'
import { type RouterOutputs, type TodayState, useTRPC } from '#owner/desk/views/api/trpc.ts'
import { formatSpan } from '#owner/mail/span.ts'
import { counted, formatNumber, formatTime } from '#owner/desk/views/format/format.ts'
import { type Period, periods } from '#owner/desk/views/format/periods.ts'
import { hrefOf } from '#owner/desk/views/navigation/location.ts'
import { useViewState } from '#owner/desk/views/navigation/view-state.ts'
import { LoadingRows } from '#owner/desk/views/parts/outline/rows.tsx'
import { Section, type SectionProps } from '#owner/desk/views/parts/outline/section.tsx'
import { View, type ViewProps } from '#owner/desk/views/parts/outline/view.tsx'
import { Consent } from './consent.tsx'
import { Jobs } from '#owner/desk/views/jobs.tsx'
import { FirstAlert } from './first-alert.tsx'
import { Funnel } from './funnel.tsx'
import { headingOfList } from './list-heading.ts'
import { SignUps } from './sign-ups.tsx'
import { Sources } from './sources.tsx'
import { initialChoices, type TodayChoices } from './today-choices.ts'
import { UnderWay } from '#owner/mailings/views/under-way.tsx'
import { useTodayState } from '#owner/desk/views/api/use-today-state.ts'

const figuresMs = 60_000
/** Counting the list reads all of it. */
const listMs = 10 * 60_000

/** Begins with the list, unless something needs the owner first. */
export function Today() {
  const trpc = useTRPC()
  const state = useTodayState()
  const [choices, choose] = useViewState(initialChoices)
  const figures = useQuery({
    ...trpc.today.figures.queryOptions({ days: choices.days }),
    ...polled(figuresMs),
    placeholderData: keepPreviousData,
  })
  const counts = useQuery({
    ...trpc.people.onTheList.queryOptions(),
    ...polled(listMs),
  }).data?.counts
  const isAway = hasCode(state.error, 'SERVICE_UNAVAILABLE')
  const trouble = isAway ? headWhileAway(state.dataUpdatedAt) : headOfTrouble(state.data)
  const list = figures.data && counts && headOfList(counts, figures.data.period, choices.days)
  const calm = state.data && list && headOfCalmDay(state.data, list)
  return (
    <View {...(trouble ?? calm ?? { heading: undefined })} {...(!isAway && { query: state })}>
      {trouble && list && <Section {...list} />}
      {!figures.data && (
        <Section heading="Sign-ups" query={figures}>
          {figures.isPending && <LoadingRows />}
        </Section>
      )}
      {figures.data && (
        <SignUps figures={figures.data} choices={choices} onDays={(days) => choose({ days })} />
      )}
      {state.data?.letter && <UnderWay letters={[state.data.letter]} />}
      <Jobs />
      {figures.data && <Figures figures={figures.data} choices={choices} choose={choose} />}
    </View>
  )
}

interface FiguresProps {
  figures: RouterOutputs['today']['figures']
  choices: TodayChoices
  choose: (changed: Partial<TodayChoices>) => void
}

function Figures({ figures, choices, choose }: FiguresProps) {
  return (
    <SimpleGrid>
      <div>
        <Funnel period={figures.period} />
        <Consent places={figures.period.consent} />
        <FirstAlert {...figures.period.firstAlert} />
      </div>
      <Sources
        figures={figures}
        chosen={choices.source}
        onChoose={(source) => choose({ source })}
      />
    </SimpleGrid>
  )
}

function headWhileAway(dataUpdatedAt: number): ViewProps {
  const known =
    dataUpdatedAt === 0 ? '' : `This is what the desk knew at ${formatTime(dataUpdatedAt)}. `
  return {
    heading: 'The database does not answer.',
    note: `${known}New sign-ups are refused until it answers. The desk tries again every 10 seconds.`,
  }
}

/** "121 people, 12 want to hear more": how they are asked, and who joined and left. */
function headOfList(
  list: RouterOutputs['people']['onTheList']['counts'],
  period: FiguresProps['figures']['period'],
  days: Period,
) {
  const left = period.unsubscribed + period.bounced + period.blocked + period.erased
  const came = period.signUps + period.imported
  const hasMoved = came + left > 0
  return {
    heading: headingOfList(list),
    note: (
      <>
        {hasMoved &&
          `${formatNumber(came)} joined and ${formatNumber(left)} left in the last ${periods[days]}. `}
        {list.active > 0 && <a href={hrefOf('page#starterEmail.news')}>How news is offered</a>}
      </>
    ),
  }
}

/** The gravest error takes the heading; the others are sentences below. */
function headOfTrouble(today: TodayState | undefined): ViewProps | undefined {
  if (!today) return undefined
  if (today.isHeldBack) return headBeforeOpening
  const errors = today.conditions.filter(({ severity }) => severity === 'error')
  const [worst, ...others] = errors
  if (!worst) return undefined
  return {
    heading: worst.what,
    note: (
      <>
        <p>{worst.why}</p>
        {others.map(({ id, what }) => (
          <p key={id}>{what}</p>
        ))}
      </>
    ),
    actions: (
      <Button component="a" variant="filled" href={hrefOf(worst.place || 'check-up')}>
        See what to do
      </Button>
    ),
  }
}

const headBeforeOpening: ViewProps = {
  heading: 'Your page is not open yet.',
  note: 'Strangers read that it opens soon.',
  actions: (
    <Button component="a" variant="filled" href={hrefOf('ready')}>
      See what is missing
    </Button>
  ),
}

function headOfCalmDay(
  { at, lastSentAt, lastSignUpAt, conditions }: TodayState,
  list: Pick<SectionProps, 'heading' | 'note'>,
): ViewProps {
  const warnings = conditions.filter(({ severity }) => severity === 'warning').length
  const sentences = [
    lastSentAt === null
      ? 'No email has been sent yet.'
      : `The last email was sent ${formatSpan(at - lastSentAt)} ago.`,
    lastSignUpAt === null
      ? 'Nobody has signed up yet.'
      : `The last sign-up was ${formatSpan(at - lastSignUpAt)} ago.`,
  ]
  return {
    heading: list.heading,
    note: (
      <>
        <p>{list.note}</p>
        <p>
          {sentences.join(' ')}{' '}
          {warnings > 0 && (
            <a href={hrefOf('check-up')}>{counted(warnings, 'warning').replace(' ', '\u00a0')}</a>
          )}
        </p>
      </>
    ),
    actions: lastSignUpAt === null && (
      <Button component="a" href="/">
        Open your page
      </Button>
    ),
  }
}
