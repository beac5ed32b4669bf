import { Progress } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import { formatDayAndTime, formatNumber, formatShare } from '#owner/desk/views/format/format.ts'
import { hrefOf } from '#owner/desk/views/navigation/location.ts'
import { ActionButton } from '#owner/desk/views/parts/actions/action-button.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import type { TodayState } from '#owner/conditions/views/troubles.ts'

interface UnderWayProps {
  announcement: NonNullable<TodayState['announcement']>
}

export function UnderWay({ announcement }: UnderWayProps) {
  const { name, title, to, sent, recipients, endsAt, state } = announcement
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const refresh = [trpc.today.state.queryFilter(), trpc.announce.pathFilter()]
  const pause = useMutation(trpc.announce.pause.mutationOptions(followUp({ refresh })))
  const end = endsAt === null ? '' : `, done at about ${formatDayAndTime(endsAt)}`
  const audience = to === 'consented' ? 'those who asked for news' : 'everyone on the list'
  const row = {
    words: (
      <>
        <a href={hrefOf('announce')}>{title}</a> to {audience}
        <Progress
          mt="xs"
          value={(100 * sent) / Math.max(1, recipients)}
          aria-label={`${title}, sent`}
        />
      </>
    ),
    note: `${formatNumber(sent)} of ${formatNumber(recipients)} sent${end}`,
    actions: state === 'running' && (
      <ActionButton mutation={pause} input={{ name }}>
        Pause
      </ActionButton>
    ),
    axis: formatShare(sent, recipients),
  }
  return <Section heading="Under way" rows={[row]} />
}
