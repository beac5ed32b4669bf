import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { polled } from '#owner/desk/views/api/queries.ts'
import { type TodayState, useTRPC } from '#owner/desk/views/api/trpc.ts'
import { formatTime } from '#owner/desk/views/format/format.ts'
import { hrefOf, usePath } from '#owner/desk/views/navigation/location.ts'
import { Glyph } from '#owner/desk/views/parts/glyph.tsx'
import { useTodayState } from '#owner/desk/views/api/use-today-state.ts'
import { Masthead } from '#owner/desk/views/frame/masthead.tsx'
import { linkTo } from './link-to.ts'
import { Navigation } from './navigation.tsx'
import { Sheet, StateLine } from '#owner/desk/views/frame/sheet.tsx'

/** The header and the state of the product, which stand above every view. */
export function Frame({ children }: { children: ReactNode }) {
  const path = usePath()
  const { data } = useTodayState()
  const needed = data ? placesOf(data) : []
  return (
    <>
      <Masthead>
        <Navigation needed={new Set(needed)} isHeldBack={data?.isHeldBack ?? false} />
      </Masthead>
      <Sheet>
        {/* Its key is not the one of the view beside it. */}
        <ProductState key={`state at ${path}`} isPolled={path === ''} />
        {children}
      </Sheet>
    </>
  )
}

/** The links that lead to what the owner has to do. */
function placesOf({ isHeldBack, conditions }: TodayState): string[] {
  const needing = conditions.filter(({ severity }) => severity === 'blocks' || severity === 'error')
  const places = needing.map(({ place = 'check-up' }) => linkTo(place, { isHeldBack }))
  return isHeldBack ? ['ready', ...places] : places
}

const todayMs = 10_000

/** Asks once for each view. Today shows all of it, so it asks again while it is seen. */
function ProductState({ isPolled }: { isPolled: boolean }) {
  const trpc = useTRPC()
  const { data, isError, dataUpdatedAt } = useQuery({
    ...trpc.today.state.queryOptions(),
    ...polled(isPolled && todayMs),
  })
  return (
    <StateLine tag={data && formatTime(dataUpdatedAt)}>
      {(data || isError) && (
        <Badge isOld={isError} isNeeded={data !== undefined && placesOf(data).length > 0} />
      )}
    </StateLine>
  )
}

interface BadgeProps {
  /** It could not be asked for. */
  isOld: boolean
  /** Something is to be done. */
  isNeeded: boolean
}

function Badge({ isOld, isNeeded }: BadgeProps) {
  const isWell = !isOld && !isNeeded
  const words = isNeeded ? 'Needs you' : 'Well'
  return (
    <Button
      component="a"
      href={hrefOf('')}
      {...(!isWell && { bd: '2px solid down' })}
      leftSection={<Glyph mark={isWell ? 'ok' : 'wrong'} />}
    >
      <span aria-live={isWell ? 'polite' : 'assertive'}>{isOld ? 'Out of date' : words}</span>
    </Button>
  )
}
