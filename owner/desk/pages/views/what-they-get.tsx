import { Image, Paper, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { kit } from '#content/kit.ts'
import { landingPage } from '#content/pages/landing-page.ts'
import { deskApiPath } from '../../paths.ts'
import { trpc } from '../api.ts'
import { pending, Section, View } from '../parts/parts.tsx'
import { ShownMail, ShownText } from './announce/mail-preview.tsx'

/**
 * Starter mail, share image, guide and script as the next visitor gets them, each with the file
 * that changes it.
 */
export function WhatTheyGet() {
  const query = useQuery(trpc.given.show.queryOptions())
  if (!query.data) return <View heading={pending} query={query} />
  const { mail, script, stale } = query.data
  return (
    <View
      heading="What they get"
      note="The mail, the page in a timeline, the guide and the script, as the next visitor gets them."
      query={query}
    >
      <Section
        heading="Words about the shipped script"
        note="The script is your own. These words are still about the one that came with the kit."
        rows={stale.map(({ words, file }) => ({ mark: 'look', words, note: file }))}
      />
      <SimpleGrid>
        <ShownMail heading="The mail" note="From content/starter-email.ts" mail={mail} />
        <div>
          <Section
            heading="The page in a timeline"
            note="From content/pages/landing-page.ts and content/brand.ts"
          >
            <Paper withBorder>
              <Image src="/og.png" alt={landingPage.shareImageAlt} />
              <Text p="sm">
                <strong>{landingPage.title}</strong> {landingPage.description}
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
          <Section
            heading="The script"
            note={`${kit.script.name}, or your own file: content/kit.ts`}
          >
            <Paper withBorder>
              <ShownText>{script}</ShownText>
            </Paper>
          </Section>
        </div>
      </SimpleGrid>
    </View>
  )
}
