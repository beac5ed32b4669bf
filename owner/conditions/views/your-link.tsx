import { Button, Code, Group } from '@mantine/core'
import { Copy } from '#owner/desk/views/parts/actions/copy.tsx'
import { CampaignLink } from '#owner/desk/views/parts/campaign-link.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'

/** The first things to do with a page that is open. */
export function YourLink({ pageUrl }: { pageUrl: string }) {
  return (
    <Section heading="Your link">
      <Group mb="sm" gap="xs">
        <Code>{pageUrl}</Code>
        <Copy text={pageUrl} label="Copy: your link" />
      </Group>
      <CampaignLink
        label="A link for each place"
        description="Name the place where you put it. Today then shows how many came from there."
        placeholder="YouTube description"
        pageUrl={pageUrl}
      />
      <Group>
        <Button component="a" href="/" target="_blank">
          Sign up yourself
        </Button>
      </Group>
    </Section>
  )
}
