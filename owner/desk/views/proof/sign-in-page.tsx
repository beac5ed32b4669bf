import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Masthead } from '../frame/masthead.tsx'
import { Sheet, StateLine } from '../frame/sheet.tsx'
import { View } from '../parts/outline/view.tsx'

interface SignInPageProps {
  tag: string
  heading: string
  note: string
  children?: ReactNode
}

/** A view before the desk. */
export function SignInPage({ tag, heading, note, children }: SignInPageProps) {
  return (
    <>
      <Masthead />
      <Sheet>
        <StateLine tag={tag} />
        <View heading={heading} note={note} />
        <Stack maw={620} mt="xl">
          {children}
        </Stack>
      </Sheet>
    </>
  )
}
