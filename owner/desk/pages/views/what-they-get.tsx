import { Image, Paper, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { brand } from '#content/brand.ts'
import { kit } from '#content/kit.ts'
import { landingPage } from '#content/pages/landing-page.ts'
import { fill } from '#text/fill.ts'
import { deskApiPath } from '#contract/desk-paths.ts'
import { useTRPC } from '../api/trpc.ts'
import { LoadingRows } from '../parts/outline/rows.tsx'
import { Section } from '../parts/outline/section.tsx'
import { View } from '../parts/outline/view.tsx'
import { ShownMail } from './announce/shown-mail.tsx'

/**
 * Starter mail, share image, guide and script as the next visitor gets them, each with the file
 * that changes it.
 */
export function WhatTheyGet() {
  const trpc = useTRPC()
  const query = useQuery(trpc.given.show.queryOptions())
  return (
    <View
      heading="What they get"
      note="The mail, the page in a timeline, the guide and the script, as the next visitor gets them."
      query={query}
    >
      <Section
        heading="Words about the shipped script"
        note="The script is your own. These words are still about the one that came with the kit."
        rows={
          query.data?.stale.map(({ words, file }) => ({ mark: 'look', words, note: file })) ?? []
        }
      />
      <SimpleGrid>
        {query.data ? (
          <ShownMail
            heading="The mail"
            note="From content/mail/starter-email.ts"
            mail={query.data.mail}
          />
        ) : (
          <Section heading="The mail">{query.isPending && <LoadingRows />}</Section>
        )}
        <GivenFiles />
      </SimpleGrid>
    </View>
  )
}

function GivenFiles() {
  return (
    <div>
      <Section
        heading="The page in a timeline"
        note="From content/pages/landing-page.ts and content/brand.ts"
      >
        <Paper withBorder>
          <Image src="/og.png" alt={landingPage.shareImageAlt} />
          <Text p="sm">
            <strong>{fill(landingPage.title, { brand: brand.name })}</strong>{' '}
            {landingPage.description}
          </Text>
        </Paper>
      </Section>
      <Section
        heading="The guide"
        note="From content/setup-guide.ts, or your own file: content/kit.ts"
      >
        <a href={`${deskApiPath}/guide`} target="_blank" rel="noreferrer">
          {kit.guide.name}
        </a>
      </Section>
      <Section heading="The script" note="Your own file: content/kit.ts">
        <a href={`${deskApiPath}/script`} target="_blank" rel="noreferrer">
          {kit.script.name}
        </a>
      </Section>
    </div>
  )
}
