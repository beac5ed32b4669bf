import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { Disclosure } from '#owner/desk/views/parts/disclosure.tsx'

interface PasteScriptProps {
  onPaste(pasted: File): void
}

/** A script out of TradingView's editor, which saves no files. */
export function PasteScript({ onPaste }: PasteScriptProps) {
  const [typed, setTyped] = useState('')
  return (
    <Disclosure words="Paste it instead">
      <Textarea
        name="script"
        label="The code of your script"
        autosize
        minRows={4}
        maxRows={12}
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
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
