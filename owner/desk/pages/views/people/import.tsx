import { FileInput, NativeSelect, Table, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ActDialog, Fault, tell } from '../../acts.tsx'
import { type Answers, api, messageOf, type Sent } from '../../api.ts'
import { counted } from '../../format.ts'
import { go, Link } from '../../location.tsx'
import { Section, View } from '../../parts.tsx'
import { optionsOf } from './people.tsx'

type Columns = Sent['import']['start']['columns']
type Header = Answers['import']['header']

const fields = { email: 'Address', signedUpAt: 'Signed up', consentedAt: 'Agreed to news on' } as const
const headerLength = 64_000

/** A CSV file from another tool: its columns are matched, tried out, and put on the list. */
export function Import() {
  const [csv, setCsv] = useState('')
  const [header, setHeader] = useState<Header>()
  const [error, setError] = useState('')
  const open = async (file: File | null) => {
    setHeader(undefined)
    setError('')
    try {
      const text = file ? await file.text() : ''
      if (text !== '') setHeader(await api.import.header.query(text.slice(0, headerLength)))
      setCsv(text)
    } catch (reason) {
      setError(messageOf(reason))
    }
  }
  return (
    <View
      heading="Import people"
      back={
        <p className="back">
          <Link to="people">People</Link>
        </p>
      }
      sentence="Put people from another tool on the list. Nobody is mailed, and who is on the list stays as they are."
    >
      <Section heading="The file">
        <div className="fields">
          <FileInput
            label="A CSV file"
            description="Its first line names the columns."
            placeholder="Choose a file"
            accept=".csv,text/csv,text/plain"
            onChange={(file) => void open(file)}
          />
          <Fault>{error}</Fault>
        </div>
      </Section>
      {header && <MatchColumns key={header.names.join()} csv={csv} header={header} />}
    </View>
  )
}

function MatchColumns({ csv, header: { names, columns: found } }: { csv: string; header: Header }) {
  const [columns, setColumns] = useState<Columns>(found)
  const [consentedOn, setConsentedOn] = useState('')
  const choices = optionsOf([['', 'None'], ...names.map((name, index) => [String(index), name] as const)])
  const wish = { csv, columns, ...(consentedOn !== '' && { consentedOn }) }
  const choose = (field: keyof typeof fields, value: string) =>
    setColumns({ ...columns, [field]: value === '' ? undefined : Number(value) })
  return (
    <>
      <Section heading="The columns">
        <div className="fields">
          {(Object.keys(fields) as (keyof typeof fields)[]).map((field) => (
            <NativeSelect
              key={field}
              label={fields[field]}
              value={columns[field] ?? ''}
              data={choices}
              onChange={(event) => choose(field, event.target.value)}
            />
          ))}
          <TextInput
            type="date"
            label="All of them agreed to news on"
            description="Only if you can show it. Without it, only those agreed whose line says when."
            value={consentedOn}
            onChange={(event) => setConsentedOn(event.target.value)}
          />
        </div>
      </Section>
      {columns.email !== undefined && <TryOut wish={wish} />}
    </>
  )
}

/** What would happen, line by line where somebody is refused. */
function TryOut({ wish }: { wish: Sent['import']['start'] }) {
  const { csv, ...choices } = wish
  const tried = useQuery({
    queryKey: ['import', csv.length, choices],
    queryFn: () => api.import.tryOut.query(wish),
    refetchInterval: false,
    gcTime: 0,
  })
  const { added = 0, known = 0, consented = 0, refusedCount = 0, refused = [] } = tried.data ?? {}
  const start = async () => {
    const done = await api.import.start.mutate(wish)
    tell(`${counted(done.added, 'person', 'people')} added.`)
    go('people')
  }
  if (tried.error) return <Fault>{messageOf(tried.error)}</Fault>
  return (
    <Section
      heading={tried.data ? `${counted(added, 'person', 'people')} would be added` : 'Reading the file'}
      note={`${counted(known, 'person is', 'people are')} on the list already. ${counted(consented, 'person', 'people')} agreed to news. ${counted(refusedCount, 'line is', 'lines are')} refused.`}
    >
      {refused.length > 0 && (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Line</Table.Th>
              <Table.Th>Refused because</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {refused.map(({ line, why }) => (
              <Table.Tr key={line}>
                <Table.Td>{line}</Table.Td>
                <Table.Td>{why}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <div className="actions">
        <ActDialog
          button={`Import ${counted(added, 'person', 'people')}`}
          buttonProps={{ variant: 'filled', disabled: added === 0 }}
          isProofNeeded
          act={start}
        >
          <p>They get no mail now. Announcements reach those who agreed to them.</p>
        </ActDialog>
      </div>
    </Section>
  )
}
