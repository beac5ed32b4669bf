import { FileInput, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ActButton, tell } from '../../parts/acts.tsx'
import { type Answers, api, messageOf, type Sent } from '../../api.ts'
import { counted, number } from '../../format.ts'
import { hrefOf } from '../../location.ts'
import { Fault, Section, View } from '../../parts/parts.tsx'
import { backToPeople } from './person.tsx'

type Wish = Sent['import']['start']
type Header = Answers['import']['header']

const fields = [
  ['email', 'Address'],
  ['signedUpAt', 'Signed up'],
  ['consentedAt', 'Agreed to news on'],
] as const
const headerLength = 64_000

/** A CSV file from another tool: its columns are matched, it is tried out, and put on the list. */
export function Import() {
  const file = useMutation({
    mutationFn: async (chosen: File | null) => {
      const csv = (await chosen?.text()) ?? ''
      return { csv, header: await api.import.header.query(csv.slice(0, headerLength)) }
    },
  })
  return (
    <View
      heading="Import people"
      back={backToPeople}
      note="Put people from another tool on the list. Nobody is mailed, and who is on the list stays as they are."
    >
      <Stack component="section" maw={620}>
        <FileInput
          label="A CSV file"
          description="Its first line names the columns."
          placeholder="Choose a file"
          accept=".csv,text/csv,text/plain"
          onChange={(chosen) => file.mutate(chosen)}
        />
        <Fault>{file.error && messageOf(file.error)}</Fault>
      </Stack>
      {file.data && <MatchColumns key={file.submittedAt} {...file.data} />}
    </View>
  )
}

function MatchColumns({ csv, header: { names, columns: found } }: { csv: string; header: Header }) {
  const [wish, setWish] = useState<Wish>({ csv, columns: found })
  const choices = [
    { value: '', label: 'None' },
    ...names.map((label, index) => ({ value: String(index), label })),
  ]
  const choose = (field: string, value: string) =>
    setWish({
      ...wish,
      columns: { ...wish.columns, [field]: value === '' ? undefined : Number(value) },
    })
  return (
    <>
      <Section heading="The columns">
        <Stack maw={620}>
          {fields.map(([field, label]) => (
            <NativeSelect
              key={field}
              label={label}
              value={wish.columns[field] ?? ''}
              data={choices}
              onChange={(event) => choose(field, event.target.value)}
            />
          ))}
          <TextInput
            type="date"
            label="All of them agreed to news on"
            description="Only if you can show it. Without it, only those agreed whose line says when."
            value={wish.consentedOn ?? ''}
            onChange={(event) => setWish({ ...wish, consentedOn: event.target.value || undefined })}
          />
        </Stack>
      </Section>
      <TryOut wish={wish} />
    </>
  )
}

/** Tells what would happen, and for each refused line why. */
function TryOut({ wish }: { wish: Wish }) {
  const { csv, ...choices } = wish
  const tried = useQuery({
    queryKey: ['import', csv.length, choices],
    queryFn: () => api.import.tryOut.query(wish),
    refetchInterval: false,
    gcTime: 0,
  })
  if (tried.error) return <Fault>{messageOf(tried.error)}</Fault>
  if (!tried.data || tried.isPlaceholderData) return null
  const { added, known, consented, refusedCount, refused } = tried.data
  const people = counted(added, 'person', 'people')
  const start = async () => {
    const done = await api.import.start.mutate(wish)
    tell(`${counted(done.added, 'person', 'people')} added.`)
    location.assign(hrefOf('people'))
  }
  return (
    <Section
      heading={`${people} would be added`}
      note={`${number(consented)} of them agreed to news. ${counted(known, 'person is', 'people are')} on the list already. ${counted(refusedCount, 'line is', 'lines are')} refused.`}
      rows={refused.map(({ line, why }) => ({ words: <p>{why}</p>, axis: `line ${line}` }))}
    >
      <ActButton
        words={`Import ${people}`}
        variant="filled"
        disabled={added === 0}
        act={start}
        ask="They get no mail now. Announcements reach those who agreed to them."
      />
    </Section>
  )
}
