import { Alert, Button, Group, SimpleGrid, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { View } from '#owner/desk/views/parts/outline/view.tsx'
import { Soft } from '#owner/desk/views/parts/text.tsx'
import { LetterActions } from '../letter-actions.tsx'
import { ShownMail } from '../shown-mail.tsx'
import { LetterFields } from './letter-fields.tsx'
import { Send } from './send.tsx'
import { ToWhom } from './to-whom.tsx'
import { type Letter, type OpenLetter, useLetter } from './use-letter.ts'
import { Day, SendAt } from './when.tsx'

interface WritingProps {
  kept: Letter
  back: ReactNode
}

/** A letter that can still be changed: its words, to whom and when, and how it arrives. */
export function Writing({ kept, back }: WritingProps) {
  const open = useLetter(kept)
  const { letter, change, status, fault, conflict, settle } = open
  const isOfSeries = letter.afterDays !== null
  return (
    <View
      heading={letter.subject.trim() || (isOfSeries ? 'A letter of the series' : 'A letter')}
      back={back}
      note={<span role="status">{fault === undefined ? status : `${status}: ${fault}`}</span>}
      actions={<LetterActions letter={kept} disabled={status !== 'Saved'} />}
    >
      {conflict && <Conflict mine={letter} theirs={conflict} settle={settle} />}
      <SimpleGrid>
        <div>
          <Section heading="Your letter">
            <LetterFields letter={letter} onChange={change} />
          </Section>
          {isOfSeries ? (
            <Day open={open} kept={kept} />
          ) : (
            <>
              <ToWhom open={open} />
              <SendAt open={open} />
            </>
          )}
          <Send open={open} />
        </div>
        <ShownMail heading="As it arrives" mail={kept.mail} />
      </SimpleGrid>
    </View>
  )
}

interface ConflictProps {
  mine: Letter
  theirs: Letter
  settle: OpenLetter['settle']
}

/** Both versions of what two devices changed. */
function Conflict({ mine, theirs, settle }: ConflictProps) {
  return (
    <Alert title="This letter was changed on another device">
      <Stack>
        {(['subject', 'preview', 'words'] as const)
          .filter((field) => mine[field] !== theirs[field])
          .map((field) => (
            <div key={field}>
              <Soft>Here: {mine[field]}</Soft>
              <Soft>There: {theirs[field]}</Soft>
            </div>
          ))}
        <Group>
          <Button onClick={() => settle('mine')}>Keep what I typed here</Button>
          <Button onClick={() => settle('theirs')}>Take the other</Button>
        </Group>
      </Stack>
    </Alert>
  )
}
