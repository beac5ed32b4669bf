import { Checkbox, NativeSelect } from '@mantine/core'
import { TRPCClientError } from '@trpc/client'
import { deskApiPath } from '../../../paths.ts'
import { ActButton } from '../../parts/acts.tsx'
import { send, type Sent } from '../../api.ts'

const tools = [
  { value: 'csv', label: 'Plain CSV' },
  { value: 'kit', label: 'Kit' },
  { value: 'mailchimp', label: 'Mailchimp' },
  { value: 'mailerlite', label: 'MailerLite' },
  { value: 'buttondown', label: 'Buttondown' },
  { value: 'listmonk', label: 'listmonk' },
  { value: 'ghost', label: 'Ghost' },
  { value: 'beehiiv', label: 'beehiiv' },
]

/** Those who are picked in People, as a file for one tool. */
export function ExportDialog({ search, whoName }: { search: Sent['people']['search']; whoName: string }) {
  const fields = (
    <>
      <p>Who: {whoName}. A file with addresses: keep it as safe as your inbox.</p>
      <NativeSelect label="For which tool" name="tool" data={tools} />
      <Checkbox label="Only those who asked for news" name="consentedOnly" defaultChecked />
    </>
  )
  const act = (chosen: FormData) =>
    download({ ...search, tool: chosen.get('tool'), consentedOnly: chosen.has('consentedOnly') })
  return <ActButton words="Export" heading="Export people" label="Download" act={act} ask={fields} />
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
