import { Box, Paper, SegmentedControl, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { type Answers, type Draft, trpc } from '../../api.ts'
import { Section } from '../../parts/parts.tsx'

const shownHeight = 640
const schemes = ['Light', 'Dark', 'Text']

/** The mail as it arrives. */
export function MailPreview({ draft }: { draft: Draft }) {
  const [settled] = useDebouncedValue(draft, 300)
  const preview = useQuery(trpc.announce.preview.queryOptions(settled))
  return <ShownMail heading="As it arrives" mail={preview.data} query={preview} />
}

type ShownMailProps = ComponentProps<typeof Section> & {
  mail: Answers['announce']['preview'] | undefined
}

export function ShownMail({ mail, ...section }: ShownMailProps) {
  const [scheme, setScheme] = useState('Light')
  const choice = (
    <SegmentedControl
      aria-label="How the mail is shown"
      value={scheme}
      data={schemes}
      onChange={setScheme}
    />
  )
  return (
    <Section {...section} actions={choice}>
      {mail && (
        <Paper withBorder>
          <Text className="note" p="sm">
            {mail.subject}
          </Text>
          {scheme === 'Text' ? (
            <ShownText>{mail.text}</ShownText>
          ) : (
            <MailBody html={mail.html} isDark={scheme === 'Dark'} />
          )}
        </Paper>
      )}
    </Section>
  )
}

/** A text of any length, in a box that scrolls. */
export function ShownText({ children }: { children: string }) {
  const style = { whiteSpace: 'pre-wrap', overflow: 'auto' } as const
  return (
    <Box component="pre" className="note" tabIndex={0} mah={shownHeight} m={0} p="sm" style={style}>
      {children}
    </Box>
  )
}

/**
 * A frame without any right: no script of a mail runs, no link leads anywhere, and it loads
 * nothing.
 */
function MailBody({ html, isDark }: { html: string; isDark: boolean }) {
  const shown = html
    .replaceAll(/\(prefers-color-scheme:\s*dark\)/g, isDark ? 'all' : 'not all')
    .replace('<head>', `<head>${policy}`)
  return (
    <iframe
      title="The mail"
      sandbox=""
      srcDoc={shown}
      style={{
        width: '100%',
        height: shownHeight,
        border: 0,
        colorScheme: isDark ? 'dark' : 'light',
      }}
    />
  )
}

const policy = `<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`
