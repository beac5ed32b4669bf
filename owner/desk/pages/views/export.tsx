import { useState } from 'react'
import { deskText } from '#content/desk.ts'
import type { ExportWish, PeopleSearch } from '../../contract.ts'
import { ActDialog } from '../act-dialog.tsx'
import { send } from '../api.ts'
import { Choice } from '../parts.tsx'

const words = deskText.export

/** Those who are picked in People, as a file for one tool. */
export function ExportDialog({ search, onClose }: { search: PeopleSearch; onClose: () => void }) {
  const [tool, setTool] = useState<ExportWish['tool']>('csv')
  const [consentedOnly, setConsentedOnly] = useState(true)
  const { who = 'everyone', from, campaign } = search
  const download = async () => {
    const picks = { ...(from !== undefined && { from }), ...(campaign !== undefined && { campaign }) }
    const answer = await send('POST export', { who, tool, consentedOnly, ...picks })
    const [, name = 'people.csv'] =
      /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '') ?? []
    save(await answer.blob(), name)
  }
  return (
    <ActDialog
      heading={words.heading}
      label={words.label}
      keep={words.close}
      needsProof
      act={download}
      onClose={onClose}
    >
      <p>
        {deskText.people.who}: {deskText.people.whoChoices[who]}. {words.text}
      </p>
      <div className="dialog-fields">
        <Choice
          label={words.tool}
          value={tool}
          options={Object.entries(words.tools)}
          onChoose={(chosen) => setTool(chosen as ExportWish['tool'])} // one of its keys
        />
        <label className="tick">
          <input
            type="checkbox"
            checked={consentedOnly}
            onChange={(event) => setConsentedOnly(event.target.checked)}
          />
          {words.consentedOnly}
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
