import { Modal, Stack } from '@mantine/core'
import { useEffect } from 'react'
import { usePath } from '../navigation/location.ts'
import { useProof } from './proof-context.tsx'
import { WaysIn } from './ways-in.tsx'

/**
 * Over the view while calls wait for a proof of who is there: what was typed there is kept. Leaving
 * the view drops them.
 */
export function ProofDialog() {
  const { question, answer } = useProof()
  const path = usePath()
  if (!question) return null
  return (
    <Modal
      opened
      onClose={() => answer(false)}
      title={question.isSignedOut ? 'You were signed out' : 'First confirm that it is you'}
      closeOnClickOutside={false}
      closeOnEscape={!question.isSignedOut}
      withCloseButton={!question.isSignedOut}
    >
      <AskForProof key={path} />
    </Modal>
  )
}

function AskForProof() {
  const { answer } = useProof()
  // Leaving the view drops the calls. After a proof no call is waiting, and this does nothing.
  useEffect(() => () => answer(false), [answer])
  return (
    <Stack>
      <p>What you typed is still here.</p>
      <WaysIn onSignedIn={() => answer(true)} />
    </Stack>
  )
}
