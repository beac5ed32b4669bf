import { Button } from '@mantine/core'
import { useState } from 'react'
import { Disclosure } from '#owner/desk/views/parts/disclosure.tsx'
import { PastedText } from '#owner/desk/views/parts/pasted-text.tsx'

interface PasteScriptProps {
  onPaste(pasted: File): void
}

/** A script out of TradingView's editor, which saves no files. */
export function PasteScript({ onPaste }: PasteScriptProps) {
  const [typed, setTyped] = useState('')
  return (
    <Disclosure words="Paste it instead">
      <PastedText name="script" label="The code of your script" value={typed} onChange={setTyped} />
      <Button
        mt="xs"
        disabled={typed.trim() === ''}
        onClick={() => onPaste(new File([typed], 'script.pine', { type: 'text/plain' }))}
      >
        Use this script
      </Button>
    </Disclosure>
  )
}
