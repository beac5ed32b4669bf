import { Checkbox, NativeSelect } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deskApiPath } from '#contract/desk-paths.ts'
import { type RouterInputs, useTRPC } from '../../api/trpc.ts'
import { counted } from '../../format/format.ts'
import { ConfirmButton } from '../../parts/actions/confirm-button.tsx'
import { saveAnswer } from '../../parts/actions/save-file.ts'
import { useProof } from '../../proof/proof-context.tsx'
import type { Picks } from './names.ts'

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

interface ExportProps {
  picks: Picks
}

type Wish = RouterInputs['people']['countExported']

/** Those who are found in People, as a file for one tool. */
export function Export({ picks }: ExportProps) {
  const { fetchWithProof } = useProof()
  const [tool, setTool] = useState<Wish['tool']>('csv')
  const [consentedOnly, setConsentedOnly] = useState(true)
  // A file is not JSON, so it does not come through the API's client.
  const download = useMutation({
    mutationFn: async (wish: object) => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify(wish)
      const init = { method: 'POST', headers, body }
      const response = await fetchWithProof(`${deskApiPath}/export`, init)
      await saveAnswer(response)
    },
  })
  const wish: Wish = { ...picks, tool, consentedOnly }
  return (
    <ConfirmButton
      words="Export"
      heading="Export people"
      label="Download"
      mutation={download}
      input={wish}
    >
      <InTheFile wish={wish} />
      <NativeSelect
        label="For which tool"
        data={tools}
        value={tool}
        onChange={(event) => setTool(event.target.value as Wish['tool'])} // one of `tools`
      />
      <Checkbox
        label="Only those who asked for news"
        checked={consentedOnly}
        onChange={(event) => setConsentedOnly(event.target.checked)}
      />
    </ConfirmButton>
  )
}

/** The same rule counts them and writes the file. */
function InTheFile({ wish }: { wish: Wish }) {
  const trpc = useTRPC()
  const count = useQuery({
    ...trpc.people.countExported.queryOptions(wish),
    placeholderData: keepPreviousData,
  })
  const people = count.data === undefined ? 'People' : counted(count.data, 'person', 'people')
  const who = wish.who === 'everyone' ? 'active, of those found here' : 'found here'
  return (
    <p>
      In the file: {people} {who}. Keep it as safe as your inbox.
    </p>
  )
}
