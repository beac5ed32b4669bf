import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { trpc } from '../../api.ts'
import { Section, Switch } from '../../parts.tsx'
import type { Draft } from './sending.tsx'

const schemes = { light: 'Light', dark: 'Dark', text: 'Text' }
type Scheme = keyof typeof schemes

/** The mail as it arrives. */
export function MailPreview({ draft }: { draft: Draft }) {
  const [settled] = useDebouncedValue(draft, 300)
  const preview = useQuery({
    ...trpc.announce.preview.queryOptions(settled),
    refetchInterval: false,
    meta: { isKept: true },
  })
  return <ShownMail heading="As it arrives" mail={preview.data} query={preview} />
}

interface ShownMailProps {
  heading: string
  mail: { subject: string; html: string; text: string } | undefined
  query: { error: unknown; refetch: () => unknown }
}

export function ShownMail({ heading, mail, query }: ShownMailProps) {
  const [scheme, setScheme] = useState<Scheme>('light')
  return (
    <Section
      heading={heading}
      query={query}
      actions={<Switch label="How the mail is shown" value={scheme} options={schemes} onChoose={setScheme} />}
    >
      {mail && (
        <div className="preview">
          <p className="note">{mail.subject}</p>
          {scheme === 'text' ? (
            <pre tabIndex={0}>{mail.text}</pre>
          ) : (
            <MailBody html={mail.html} scheme={scheme} />
          )}
        </div>
      )}
    </Section>
  )
}

/** A frame without any right: no script of a mail runs, no link leads anywhere, and it loads nothing. */
function MailBody({ html, scheme }: { html: string; scheme: 'light' | 'dark' }) {
  const isDark = scheme === 'dark' ? 'all' : 'not all'
  const shown = html
    .replaceAll(/\(prefers-color-scheme:\s*dark\)/g, isDark)
    .replace('<head>', `<head>${policy}`)
  return <iframe title="The mail" sandbox="" srcDoc={shown} className={`mail-${scheme}`} />
}

const policy = `<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`
