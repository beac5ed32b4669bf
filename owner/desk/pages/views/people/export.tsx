import { Checkbox, NativeSelect } from '@mantine/core'
import { TRPCClientError } from '@trpc/client'
import { useState } from 'react'
import { deskApiPath } from '../../../paths.ts'
import { ActButton } from '../../parts/acts.tsx'
import { send, type Sent } from '../../api.ts'

const tools = {
  csv: 'Plain CSV',
  kit: 'Kit',
  mailchimp: 'Mailchimp',
  mailerlite: 'MailerLite',
  buttondown: 'Buttondown',
  listmonk: 'listmonk',
  ghost: 'Ghost',
  beehiiv: 'beehiiv',
}

/** Those who are picked in People, as a file for one tool. */
export function ExportDialog({ search, whoName }: { search: Sent['people']['search']; whoName: string }) {
  const [tool, setTool] = useState('csv')
  const [consentedOnly, setConsentedOnly] = useState(true)
  const fields = (
    <>
      <p>Who: {whoName}. A file with addresses: keep it as safe as your inbox.</p>
      <NativeSelect
        label="For which tool"
        value={tool}
        data={Object.entries(tools).map(([value, label]) => ({ value, label }))}
        onChange={(event) => setTool(event.target.value)}
      />
      <Checkbox
        label="Only those who asked for news"
        checked={consentedOnly}
        onChange={(event) => setConsentedOnly(event.target.checked)}
      />
    </>
  )
  return (
    <ActButton
      heading="Export people"
      label="Download"
      act={() => download({ ...search, tool, consentedOnly })}
      ask={fields}
    >
      Export
    </ActButton>
  )
}

/** A file is not JSON, so it does not come through the API's client. */
async function download(wish: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await send(`${deskApiPath}/export`, { method: 'POST', headers, body: JSON.stringify(wish) })
  if (!answer.ok) throw TRPCClientError.from(await answer.json())
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await answer.blob())
  link.download =
    /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? 'people.csv'
  link.click()
  URL.revokeObjectURL(link.href)
}
