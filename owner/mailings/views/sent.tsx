import { SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import { counted, formatNumber } from '#owner/desk/views/format/format.ts'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { View } from '#owner/desk/views/parts/outline/view.tsx'
import { explainReason } from '#owner/mail/reasons.ts'
import { campaignTitle } from '#owner/people/people-words.ts'
import { CopyLetter, LetterActions } from './letter-actions.tsx'
import { ShownMail } from './shown-mail.tsx'
import { stateWords } from './letter-words.ts'
import type { Letter } from './writing/use-letter.ts'

/** A letter that has started: how it goes or went. */
export function Sent({ letter, back }: { letter: Letter; back: ReactNode }) {
  const { id, title, state, mail, sample, faults, isRemoved } = letter
  const isOver = state === 'done' || state === 'cancelled'
  const heading = `“${title}” ${stateWords(letter)}.`
  return (
    <View
      heading={heading}
      back={back}
      actions={
        <>
          <LetterActions letter={letter} />
          <CopyLetter id={id}>Write another like it</CopyLetter>
          {isOver && !isRemoved && (
            <CopyLetter id={id} forOthers>
              Send to those who have not had it
            </CopyLetter>
          )}
        </>
      }
    >
      <SimpleGrid>
        <div>
          <Figures letter={letter} />
          <Section
            heading={`${counted(sample.returned, 'mail')} of the last ${formatNumber(sample.mails)} came back`}
            note="Above 2 % it pauses automatically: mail servers would soon refuse all your mail."
            isKept={sample.mails > 0}
            rows={faults.map(({ fault, count }) => ({
              words: explainReason(fault ?? '', true).words,
              note: fault,
              axis: formatNumber(count),
            }))}
          />
        </div>
        <ShownMail heading="As it arrives" mail={mail} />
      </SimpleGrid>
    </View>
  )
}

function Figures({ letter: { toSend, sent, failed, left, to, campaigns } }: { letter: Letter }) {
  const audience = to === 'consented' ? 'To people who agreed to news' : 'To everyone on the list'
  return (
    <Section
      heading="Figures"
      note={
        campaigns
          ? `${audience} who came by ${campaigns.map(campaignTitle).join(', ')}.`
          : `${audience}.`
      }
      rows={[
        { words: 'To send', axis: formatNumber(toSend) },
        { words: 'Sent', axis: formatNumber(sent) },
        { words: 'Failed', axis: formatNumber(failed) },
        { words: 'Left within a day', axis: formatNumber(left) },
      ]}
    />
  )
}
