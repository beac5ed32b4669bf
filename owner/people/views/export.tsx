import { Button, Checkbox, Group, NativeSelect, Progress } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deskApiPath } from '#contract/desk-paths.ts'
import { toolNames, tools } from '#owner/people/export/tool-names.ts'
import { type RouterInputs, useTRPC } from '#owner/desk/views/api/trpc.ts'
import { counted, formatNumber } from '#owner/desk/views/format/format.ts'
import { ConfirmButton } from '#owner/desk/views/parts/actions/confirm-button.tsx'
import { saveAnswer } from '#owner/desk/views/parts/actions/save-file.ts'
import { useProof } from '#owner/desk/views/proof/proof-context.tsx'
import type { Picks } from './names.ts'

const formats = [
  { value: 'csv', label: 'Plain CSV' },
  ...tools.map((value) => ({ value, label: toolNames[value] })),
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
  const [stopping, setStopping] = useState<AbortController>()
  const [lines, setLines] = useState(0)
  // A file is not JSON, so it does not come through the API's client.
  const download = useMutation({
    mutationFn: async (wish: object) => {
      const stop = new AbortController()
      setStopping(stop)
      setLines(0)
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify(wish)
      const init = { method: 'POST', headers, body, signal: stop.signal }
      try {
        await saveAnswer(await fetchWithProof(`${deskApiPath}/export`, init), setLines)
      } catch (cause) {
        throw stop.signal.aborted ? new Error('Stopped. No file was saved.', { cause }) : cause
      }
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
        data={formats}
        value={tool}
        onChange={(event) => setTool(event.target.value as Wish['tool'])} // one of `formats`
      />
      <Checkbox
        label="Only those who asked for news"
        checked={consentedOnly}
        onChange={(event) => setConsentedOnly(event.target.checked)}
      />
      {download.isPending && <Download wish={wish} lines={lines} stop={() => stopping?.abort()} />}
    </ConfirmButton>
  )
}

interface DownloadProps {
  wish: Wish
  /** The lines that have come; the first names the columns. */
  lines: number
  stop: () => void
}

/** Shows how much of the file has come. */
function Download({ wish, lines, stop }: DownloadProps) {
  const { data: total } = useCountExported(wish)
  const people = Math.max(0, lines - 1)
  const ofAll = total === undefined ? '' : ` of ${formatNumber(total)}`
  return (
    <>
      <Progress value={(100 * people) / Math.max(1, total ?? 0)} aria-label="Exported" />
      <Group justify="space-between">
        <p role="status">
          {formatNumber(people)}
          {ofAll} people so far.
        </p>
        <Button onClick={stop}>Stop</Button>
      </Group>
    </>
  )
}

function useCountExported(wish: Wish) {
  const trpc = useTRPC()
  return useQuery({
    ...trpc.people.countExported.queryOptions(wish),
    placeholderData: keepPreviousData,
  })
}

/** The same rule counts them and writes the file. */
function InTheFile({ wish }: { wish: Wish }) {
  const count = useCountExported(wish)
  const [one, many] =
    wish.who === 'everyone' ? ['active person', 'active people'] : ['person', 'people']
  const people = count.data === undefined ? many : counted(count.data, one, many)
  return <p>Exports {people} from this search. Keep it as safe as your inbox.</p>
}
