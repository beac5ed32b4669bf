import { Button } from '@mantine/core'
import { useState } from 'react'
import { Disclosure } from '#owner/desk/views/parts/disclosure.tsx'
import { PastedText } from '#owner/desk/views/parts/pasted-text.tsx'

interface PasteScriptProps {
  /** `onTaken`: to be called once it is in the draft. */
  onPaste(pasted: File, onTaken: () => void): void
}

/**
 * A script out of TradingView's editor, which saves no files. It closes once the script is taken: a
 * refused one stays there, to be corrected.
 */
export function PasteScript({ onPaste }: PasteScriptProps) {
  const [typed, setTyped] = useState('')
  const [timesTaken, setTimesTaken] = useState(0)
  const use = () => {
    const pasted = new File([typed], 'script.pine', { type: 'text/plain' })
    onPaste(pasted, () => setTimesTaken((times) => times + 1))
  }
  return (
    <Disclosure key={timesTaken} words="Paste it instead">
      <PastedText name="script" label="The code of your script" value={typed} onChange={setTyped} />
      <Button mt="xs" disabled={typed.trim() === ''} onClick={use}>
        Use this script
      </Button>
    </Disclosure>
  )
}
