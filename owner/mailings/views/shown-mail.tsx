import { Box, Paper, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import type { RouterOutputs } from '#owner/desk/views/api/trpc.ts'
import { Section, type SectionProps } from '#owner/desk/views/parts/outline/section.tsx'
import { Note } from '#owner/desk/views/parts/text.tsx'
import styles from './shown-mail.module.css'

type ShownAs = 'Light' | 'Dark' | 'Text'

const ways: ShownAs[] = ['Light', 'Dark', 'Text']

interface ShownMailProps extends SectionProps {
  /** It is undefined until it is known. */
  mail: RouterOutputs['mailings']['one']['mail'] | undefined
}

/** A mail as it arrives. */
export function ShownMail({ mail, ...section }: ShownMailProps) {
  const [shownAs, setShownAs] = useState<ShownAs>('Light')
  const choice = (
    <SegmentedControl
      aria-label="How the mail is shown"
      value={shownAs}
      data={ways}
      onChange={setShownAs}
    />
  )
  return (
    <Section {...section} actions={choice}>
      {mail && (
        <Paper withBorder>
          <Note p="sm">{mail.subject}</Note>
          {shownAs === 'Text' ? (
            <Box component="pre" className={styles.text} tabIndex={0}>
              {mail.text}
            </Box>
          ) : (
            <MailBody html={mail.html} isDark={shownAs === 'Dark'} />
          )}
        </Paper>
      )}
    </Section>
  )
}

/**
 * The whole mail, in a frame that may only be measured: no script of a mail runs, no link leads
 * anywhere, and it loads its own pictures only, from the server of the desk.
 */
function MailBody({ html, isDark }: { html: string; isDark: boolean }) {
  const [height, setHeight] = useState<number>()
  const shown = html
    .replaceAll(/\(prefers-color-scheme:\s*dark\)/g, isDark ? 'all' : 'not all')
    .replace('<head>', `<head>${policy}`)
    .replaceAll(/(<img src=")[^"]*(\/pictures\/[\w.-]+")/g, `$1${location.origin}$2`)
  return (
    <iframe
      title="The mail"
      sandbox="allow-same-origin"
      srcDoc={shown}
      onLoad={({ currentTarget }) => watchHeight(currentTarget, setHeight)}
      style={{ height }}
      className={isDark ? styles.darkFrame : styles.lightFrame}
    />
  )
}

/** It changes with the width as well. */
function watchHeight({ contentDocument }: HTMLIFrameElement, onChange: (px: number) => void): void {
  const body = contentDocument?.body
  if (body) new ResizeObserver(() => onChange(body.scrollHeight)).observe(body)
}

const policy = `<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data: ${location.origin}">`
