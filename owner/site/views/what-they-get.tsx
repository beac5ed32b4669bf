import { Image, Paper, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { deskApiPath } from '#contract/desk-paths.ts'
import { type RouterOutputs, useTRPC } from '#owner/desk/views/api/trpc.ts'
import { hrefOf } from '#owner/desk/views/navigation/location.ts'
import { LoadingRows } from '#owner/desk/views/parts/outline/rows.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { View } from '#owner/desk/views/parts/outline/view.tsx'
import { ShownMail } from '#owner/mailings/views/shown-mail.tsx'

/**
 * Starter mail, share image, guide and script as the next visitor gets them, each with the place
 * that changes it.
 */
export function WhatTheyGet() {
  const trpc = useTRPC()
  const query = useQuery(trpc.given.show.queryOptions())
  const { data } = query
  return (
    <View
      heading="What they get"
      note="The mail, the page in a timeline, the guide and the script, as the next visitor gets them."
      query={query}
    >
      {data ? (
        <SimpleGrid>
          <ShownMail
            heading="The mail"
            note={<a href={`${hrefOf('page')}#starterEmail.subject`}>Change its words</a>}
            mail={data.mail}
          />
          <GivenFiles {...data} />
        </SimpleGrid>
      ) : (
        <Section heading="The mail">{query.isPending && <LoadingRows />}</Section>
      )}
    </View>
  )
}

type GivenFilesProps = Pick<RouterOutputs['given']['show'], 'shared' | 'guide' | 'script'>

function GivenFiles({ shared, guide, script }: GivenFilesProps) {
  const change = <a href={hrefOf('page/files')}>Change the file</a>
  return (
    <div>
      <Section
        heading="The page in a timeline"
        note={<a href={`${hrefOf('page')}#landingPage.title`}>Change its words</a>}
      >
        <Paper withBorder>
          <Image src="/og.png" alt={shared.pictureAlt} />
          <Text p="sm">
            <strong>{shared.title}</strong> {shared.description}
          </Text>
        </Paper>
      </Section>
      <Section heading="The guide" note={change}>
        <a href={`${deskApiPath}/guide`} target="_blank" rel="noreferrer">
          {guide}
        </a>
      </Section>
      <Section heading="The script" note={change}>
        <a href={`${deskApiPath}/script`} target="_blank" rel="noreferrer">
          {script}
        </a>
      </Section>
    </div>
  )
}
