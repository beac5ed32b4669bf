import { Table } from '@mantine/core'
import { deliveryStateWords } from '#owner/mail/delivery-words.ts'
import { campaignTitle, formName, subscriberStateWords } from '../people-words.ts'
import { formatMoment } from '#owner/desk/views/format/format.ts'
import { hrefOf } from '#owner/desk/views/navigation/location.ts'
import { Glyph } from '#owner/desk/views/parts/glyph.tsx'
import { Breakable, Note } from '#owner/desk/views/parts/text.tsx'
import type { FoundPeople } from './names.ts'
import styles from './people-table.module.css'

type FoundPerson = FoundPeople['people'][number]

/** On a phone a row has the address with a line below it, and the time. */
export function PeopleTable({ people }: { people: readonly FoundPerson[] }) {
  return (
    <Table aria-label="People" highlightOnHover className={styles.people}>
      <Table.Thead className={styles.head}>
        <Table.Tr>
          <Table.Th>Address</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th>News</Table.Th>
          <Table.Th>Form</Table.Th>
          <Table.Th>Campaign</Table.Th>
          <Table.Th>Since then</Table.Th>
          <Table.Th className={styles.axis}>Joined</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {people.map((person) => (
          <PersonRow key={person.id} person={person} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function PersonRow({ person }: { person: FoundPerson }) {
  const { id, address, form, mail, signed_up_at: signedUpAt } = person
  const formWords = form === null ? 'imported' : formName(form)
  const hasCampaign = person.campaign !== null && person.campaign !== 'none'
  const campaign = hasCampaign && campaignTitle(person.campaign)
  const mailState = mail === null ? undefined : `mail ${deliveryStateWords[mail]}`
  return (
    <Table.Tr className={styles.row}>
      <Table.Td>
        <a href={hrefOf(`people/${id}`)} className={styles.link}>
          <Breakable>{address}</Breakable>
        </a>
        <Note hiddenFrom="sm" aria-hidden="true">
          {person.state !== 'active' && <StateGlyph person={person} />}
          {[
            person.state !== 'active' && subscriberStateWords[person.state],
            wantsNews(person) && 'wants news',
            campaign || formWords,
            mailState,
          ]
            .filter(Boolean)
            .join(' · ')}
        </Note>
      </Table.Td>
      <Table.Td className={styles.detail}>
        {person.state !== 'active' && <StateGlyph person={person} />}
        {subscriberStateWords[person.state]}
      </Table.Td>
      <Table.Td className={styles.detail}>{describeNews(person)}</Table.Td>
      <Table.Td className={styles.detail}>{formWords}</Table.Td>
      <Table.Td className={styles.campaign}>{campaign}</Table.Td>
      <Table.Td className={styles.detail}>{mailState}</Table.Td>
      <Table.Td className={styles.axis}>{formatMoment(signedUpAt)}</Table.Td>
    </Table.Tr>
  )
}

function StateGlyph({ person: { state } }: { person: FoundPerson }) {
  return <Glyph mark={state === 'unsubscribed' ? 'left' : 'wrong'} />
}

function wantsNews({ state, announcements_agreed_at: agreedAt }: FoundPerson): boolean {
  return state === 'active' && agreedAt !== null
}

/** Whoever left gets none in any case. */
function describeNews(person: FoundPerson): string {
  if (person.state !== 'active') return ''
  return wantsNews(person) ? 'yes' : 'no'
}
