import { useState } from 'react'
import type { ExportWish, PeopleSearch } from '../../contract.ts'
import { ActDialog } from '../act-dialog.tsx'
import { send } from '../api.ts'
import { Choice } from '../parts.tsx'

type Tool = ExportWish['tool']

const tools: Record<Tool, string> = {
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
export function ExportDialog({ search, whoName }: { search: PeopleSearch; whoName: string }) {
  const [tool, setTool] = useState<Tool>('csv')
  const [consentedOnly, setConsentedOnly] = useState(true)
  const download = async () => {
    const { text: _, who = 'everyone', ...picks } = search
    const wish: ExportWish = { ...picks, who, tool, consentedOnly }
    const answer = await send('POST export', wish)
    const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1]
    save(await answer.blob(), name ?? 'people.csv')
  }
  return (
    <ActDialog
      button="Export"
      buttonProps={{ kind: 'link' }}
      heading="Export people"
      keep="Close"
      needsProof
      act={download}
    >
      <p>Who: {whoName}. A file with addresses: keep it as safe as your inbox.</p>
      <div className="dialog-fields">
        <Choice
          label="For which tool"
          value={tool}
          options={Object.entries(tools) as [Tool, string][]} // its keys
          onChoose={setTool}
        />
        <label className="tick">
          <input
            type="checkbox"
            checked={consentedOnly}
            onChange={(event) => setConsentedOnly(event.target.checked)}
          />
          Only those who asked for news
        </label>
      </div>
    </ActDialog>
  )
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
