import { Button, Divider, Group, Text, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { brand } from '#content/brand.ts'
import { useToday } from './api.ts'
import { timeOf } from './format.ts'
import { hrefOf, usePath } from './location.ts'
import { Glyph, pending } from './parts/parts.tsx'
import { ProofDialog } from './parts/proof.tsx'
import { troublesOf } from './views/troubles.ts'

const views = {
  '': 'Today',
  people: 'People',
  mail: 'Mail',
  announce: 'Announce',
  'check-up': 'Check-up',
}

/** The header and the line of state that stand above every view. */
export function Frame({ children }: { children: ReactNode }) {
  const [current] = usePath().split('/')
  const { data: today, error, dataUpdatedAt } = useToday()
  const needed = new Set<string>(today && troublesOf(today).map(({ view }) => view))
  const badge = error ? 'Out of date' : needed.size > 0 ? 'Needs you' : 'Well'
  const isWell = badge === 'Well'
  const toView = (view: string) => ({
    href: hrefOf(view),
    ...(view === current && { 'aria-current': 'page' as const }),
  })
  return (
    <>
      <Masthead>
        <div className="views">
          {Object.entries(views).map(([view, name]) => (
            <a key={view} {...toView(view)}>
              {name}
              {needed.has(view) && (
                <>
                  {' '}
                  <Glyph of="wrong" />
                  <VisuallyHidden>needs you</VisuallyHidden>
                </>
              )}
            </a>
          ))}
        </div>
        <a {...toView('you')}>You</a>
      </Masthead>
      <main className="sheet">
        <StateLine tag={today ? timeOf(dataUpdatedAt) : pending}>
          <Button
            component="a"
            href={hrefOf('')}
            {...(!isWell && { bd: '2px solid down' })}
            leftSection={<Glyph of={isWell ? 'ok' : 'wrong'} />}
          >
            <span aria-live={isWell ? 'polite' : 'assertive'}>
              {today || error ? badge : pending}
            </span>
          </Button>
        </StateLine>
        {children}
      </main>
      <ProofDialog />
    </>
  )
}

export function Masthead({ children }: { children?: ReactNode }) {
  return (
    <nav aria-label="Desk">
      <a href={hrefOf('')}>
        <svg viewBox="0 0 30 20" width="30" height="20" fill="none" aria-hidden="true">
          <path stroke="var(--slow)" strokeWidth="3.5" d="M1 5c10 0 15 9 28 9" />
          <path stroke="var(--fast)" strokeWidth="2" d="M1 18C14 18 16 2 29 2" />
        </svg>{' '}
        <strong>{brand.name}</strong> <span className="soft">desk</span>
      </a>
      {children}
    </nav>
  )
}

/** The state of the product, and the time of what is seen. */
export function StateLine({ tag, children }: { tag: string; children?: ReactNode }) {
  return (
    <Group gap={0} wrap="nowrap" mt="lg" mb="xl">
      {children}
      <Divider flex={1} variant="dashed" color="ink" />
      <Text className="note" bg="ink" c="paper" px="sm" py={6}>
        {tag}
      </Text>
    </Group>
  )
}
