import { signUpText } from '#content/sign-up.ts'
import { LiveRegion } from '../ui/live-region.tsx'

interface AddressSuggestionProps {
  address: string | undefined
  onAccept: (address: string) => void
}

/** "Did you mean …?": one press accepts, and nothing waits for it. */
export function AddressSuggestion({ address, onAccept }: AddressSuggestionProps) {
  const { before, after } = signUpText.suggestion
  return (
    <LiveRegion>
      {address && (
        <p className="suggestion">
          {before}
          <button className="text-button" type="button" onClick={() => onAccept(address)}>
            {address}
          </button>
          {after}
        </p>
      )}
    </LiveRegion>
  )
}
