import { useEffect, useState } from 'react'
import { signUpText } from '#content/sign-up.ts'
import { TickedSquare } from '../ui/glyphs.tsx'
import { LiveRegion } from '../ui/live-region.tsx'
import type { SignUpSuccess } from './sign-up-state.ts'
import { waitInWords } from './wait-in-words.ts'
import { webmailLink } from './webmail-link.ts'

interface SuccessNoteProps {
  success: SignUpSuccess | undefined
  resendAfterSeconds: number
  onResend: (address: string) => void
}

/** Stays under the form after a success; its live region is there before. */
export function SuccessNote({ success, resendAfterSeconds, onResend }: SuccessNoteProps) {
  const text = signUpText.note
  const isNew = success?.outcome === 'sent'
  const [before, after] = isNew ? text.sent : text.alreadyOnList
  return (
    <div className={success ? 'note' : undefined}>
      {success && <TickedSquare />}
      <div>
        <LiveRegion>
          {success && (
            <>
              <strong className="note-heading">{text.heading}</strong> {before}
              <span className="address">{success.address}</span>
              {after}
            </>
          )}
        </LiveRegion>
        {success && (
          <>
            {' '}
            {isNew ? text.lookAfterSent : text.lookAfterAlreadyOnList}
            <Resend
              key={success.at}
              words={isNew ? text.resend : text.resendAfterAlreadyOnList}
              allowedAt={success.at + resendAfterSeconds * 1000}
              onResend={() => onResend(success.address)}
            />
            <OpenWebmail address={success.address} />
          </>
        )}
      </div>
    </div>
  )
}

interface ResendProps {
  words: readonly [string, string, string]
  /** Milliseconds since 1970. */
  allowedAt: number
  onResend: () => void
}

function Resend({ words, allowedAt, onResend }: ResendProps) {
  const leftMs = allowedAt - useClock(allowedAt)
  const [before, button, after] = words
  if (leftMs > 0) return signUpText.note.resendLater.join(waitInWords(leftMs))
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

/** The time, each second until `untilMs` is over. */
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
