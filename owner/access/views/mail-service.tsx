import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import { formatTime } from '#owner/desk/views/format/format.ts'
import { LoadingRows } from '#owner/desk/views/parts/outline/rows.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { View } from '#owner/desk/views/parts/outline/view.tsx'
import { SoftWord } from '#owner/desk/views/parts/text.tsx'
import { BackToReady } from './back-to-ready.tsx'
import styles from './first-start.module.css'
import { type MailService, MailServiceForm } from './mail-service-form.tsx'

type MailTest = MailService['tests'][number]

/** The mail service, and the outcome of its tests. */
export function MailServiceView() {
  const trpc = useTRPC()
  const query = useQuery(trpc.mailService.show.queryOptions())
  const { data } = query
  return (
    <View
      heading={data && headingFor(data)}
      note={data && sentenceFor(data)}
      actions={<BackToReady />}
      query={query}
    >
      {query.isPending && <LoadingRows />}
      {data && (
        <div className={styles.halves}>
          <Tests tests={data.tests} />
          <div className={styles.form}>
            <MailServiceForm key={keyOf(data)} service={data} />
          </div>
        </div>
      )}
    </View>
  )
}

/** The form begins again once something else is stored. */
function keyOf({ tests: _tests, ...stored }: MailService): string {
  return JSON.stringify(stored)
}

function Tests({ tests }: { tests: readonly MailTest[] }) {
  return (
    <Section
      heading="Tests"
      note={tests.length === 0 ? 'Nothing has been sent yet.' : 'Each test is one real mail.'}
      isKept
      rows={tests.map((test) => ({
        id: test.at,
        mark: test.isSent ? 'ok' : 'wrong',
        words: <TestInFull {...test} />,
        axis: formatTime(test.at),
      }))}
    />
  )
}

function TestInFull({ what, said, why, advice }: MailTest) {
  return (
    <>
      <strong>{what}</strong>
      <p>
        <SoftWord>Said</SoftWord> <code>{said}</code>
      </p>
      {why !== '' && (
        <p>
          <SoftWord>Why</SoftWord> {why}
        </p>
      )}
      <p>
        <SoftWord>Do</SoftWord> {advice}
      </p>
    </>
  )
}

function headingFor({ service, hasLocalInbox, tests: [newest] }: MailService): string {
  if (newest) return newest.what
  if (service !== null) return 'Not tested yet.'
  return hasLocalInbox ? 'Mail goes to the local inbox.' : 'No mail service yet.'
}

function sentenceFor({ service, isProved, hasLocalInbox }: MailService): string {
  if (isProved) return 'Your mail service is done.'
  if (service === null && hasLocalInbox) {
    return 'It is on this machine and sends nothing. Enter a service, and the next mail goes out through it.'
  }
  return 'The page can open once a test mail has gone out with what is saved.'
}
