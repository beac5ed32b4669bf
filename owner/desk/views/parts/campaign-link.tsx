import { Code, Group, TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { campaignNamed } from '#contract/campaign.ts'
import { Copy } from './actions/copy.tsx'

interface CampaignLinkProps extends Pick<TextInputProps, 'label' | 'placeholder' | 'description'> {
  pageUrl: string
}

/** Makes a link that counts its visitors as a campaign. */
export function CampaignLink({ pageUrl, ...words }: CampaignLinkProps) {
  const [name, setName] = useState('')
  const campaign = campaignNamed(name)
  const link = `${pageUrl}/?utm_source=${encodeURIComponent(campaign)}`
  return (
    <>
      <TextInput
        mb="sm"
        {...words}
        maxLength={40}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {campaign !== '' && (
        <Group mb="sm" gap="xs">
          <Code>{link}</Code>
          <Copy text={link} />
        </Group>
      )}
    </>
  )
}
