import { useEffect, useState } from 'react'
import { signUpText } from '#content/pages/sign-up.ts'
import { TickedSquare } from '../ui/glyphs.tsx'
import { LiveRegion } from '../ui/live-region.tsx'
import { resendInWords } from './resend-time.ts'
import type { SignUpNote } from './sign-up-state.ts'
import { webmailLink } from './mail-services.ts'

interface SuccessNoteProps {
  note: SignUpNote | undefined
  onResend: (address: string) => void
}

const words = {
  sent: signUpText.note.sent,
  'already-on-list': signUpText.note.alreadyOnList,
  resent: signUpText.note.resent,
}

/** Stays under the form after a success. Its live region is in the page before that. */
export function SuccessNote({ note, onResend }: SuccessNoteProps) {
  const text = signUpText.note
  const [before, after] = words[note?.kind ?? 'sent']
  const isKnown = note?.kind === 'already-on-list'
  return (
    <div className={note ? 'note' : undefined}>
      {note && <TickedSquare />}
      <div>
        <LiveRegion>
          {note && (
            <>
              <strong className="note-heading">{text.heading}</strong> {before}
              <span className="address">{note.address}</span>
              {after}
            </>
          )}
        </LiveRegion>
        {note && (
          <>
            {' '}
            {isKnown ? text.lookAfterAlreadyOnList : text.lookAfterSent}
            <Resend
              key={note.resendAt}
              words={isKnown ? text.resendAfterAlreadyOnList : text.resend}
              resendAt={note.resendAt}
              onResend={() => onResend(note.address)}
            />
            <OpenWebmail address={note.address} />
          </>
        )}
      </div>
    </div>
  )
}

interface ResendProps {
  words: readonly [string, string, string]
  /** Milliseconds since 1970. */
  resendAt: number
  onResend: () => void
}

function Resend({ words: [before, button, after], resendAt, onResend }: ResendProps) {
  const now = useClock(resendAt)
  if (now < resendAt) return resendInWords(resendAt, now)
  return (
    <>
      {before}
      <button className="text-button" type="button" onClick={onResend}>
        {button}
      </button>
      {after}
    </>
  )
}

/** The time, updated each second until `untilMs`. */
function useClock(untilMs: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const ticks = setInterval(() => {
      const time = Date.now()
      setNow(time)
      if (time >= untilMs) clearInterval(ticks)
    }, 1000)
    return () => clearInterval(ticks)
  }, [untilMs])
  return now
}

function OpenWebmail({ address }: { address: string }) {
  const webmail = webmailLink(address)
  if (!webmail) return null
  return (
    <a className="webmail" href={webmail.href} target="_blank" rel="noopener noreferrer">
      {signUpText.note.openWebmail} {webmail.name}
      <span className="unseen"> {signUpText.note.opensNewTab}</span>
    </a>
  )
}
