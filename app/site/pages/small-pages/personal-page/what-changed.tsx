import { consentWords } from '#contract/consent-words.ts'
import type { KitRelease } from '#content/releases.ts'
import { marked } from '#site/guide/guide-html.ts'
import { dayInWords } from '#site/text/day-in-words.ts'
import { fill } from '#site/text/fill.ts'
import { placeholder } from '#site/text/placeholders.ts'
import { useContent } from '#site/text/use-content.ts'
import type { AnnouncementState } from '#site/pages/page-table.ts'
import { WordingField } from '../wording-field.tsx'
import { KitSection } from './kit-section.tsx'

interface WhatChangedProps {
  /** The newest first. */
  releases: readonly KitRelease[]
  /** The one in the visitor's newest starter mail. Undefined: it had none of these. */
  first: KitRelease | undefined
  announcements: AnnouncementState
}

/**
 * The releases since the visitor's first version, and the switch for news. With one version there
 * is nothing that changed.
 */
export function WhatChanged({ releases, first, announcements }: WhatChangedProps) {
  const text = useContent().whatChanged
  const [newest] = releases
  if (!first || !newest || releases.length < 2) {
    return (
      <KitSection id="what-changed" heading={text.headingOfNews}>
        <AnnouncementSwitch state={announcements} />
      </KitSection>
    )
  }
  const hasNewest = first === newest
  const versions = { first: first.version, newest: newest.version, version: newest.version }
  return (
    <KitSection
      id="what-changed"
      heading={text.headingOfNews}
      lead={<p className="soft">{fill(hasNewest ? text.hasNewest : text.cameWith, versions)}</p>}
    >
      {hasNewest ? (
        <details>
          <summary>{fill(text.ofVersion, versions)}</summary>
          <ReleaseList releases={releases} first={first} />
        </details>
      ) : (
        <>
          <h3>{text.heading}</h3>
          <ReleaseList releases={releases} first={first} />
          <p className="old-script">{text.oldScript}</p>
        </>
      )}
      <AnnouncementSwitch state={announcements} />
    </KitSection>
  )
}

function ReleaseList({ releases, first }: { releases: readonly KitRelease[]; first: KitRelease }) {
  const since = releases.slice(0, releases.indexOf(first) + 1)
  return (
    <ul className="releases">
      {since.map((release) => (
        <ReleaseRow
          key={release.version}
          release={release}
          isOldest={release === releases.at(-1)}
          isYours={release === first}
        />
      ))}
    </ul>
  )
}

function ReleaseRow(row: { release: KitRelease; isOldest: boolean; isYours: boolean }) {
  const { brand, whatChanged: text } = useContent()
  const { version, date, changes } = row.release
  return (
    <li>
      <p className="mono">
        <b>{version}</b>{' '}
        <time className="soft" dateTime={date}>
          {dayInWords(date, brand.language)}
        </time>{' '}
        {row.isYours && <span className="yours">{text.yours}</span>}
      </p>
      {changes.length > 0 ? (
        <ul>
          {changes.map((change) => (
            <li key={change} dangerouslySetInnerHTML={{ __html: marked(change) }} />
          ))}
        </ul>
      ) : (
        row.isOldest && <p>{text.firstVersion}</p>
      )}
    </li>
  )
}

const announcementsUrl = `/kit/${placeholder('token')}/announcements`

/**
 * A form, so that it works without JavaScript. The answer is the page itself, with the new state.
 */
function AnnouncementSwitch({ state }: { state: AnnouncementState }) {
  const content = useContent()
  const { label, text: textWhenOff } = consentWords(content).switch
  const { on, off, textAfterLeaving, textWhenOn } = content.whatChanged.announcements
  if (state === 'left') return <p className="soft announcements">{textAfterLeaving}</p>
  const isOn = state === 'on'
  return (
    <form className="announcements" method="post" action={`${announcementsUrl}#what-changed`}>
      <WordingField />
      <b id="announcements-label">{label}</b>
      <span className="mono" id="announcements-state" aria-hidden="true">
        {isOn ? on : off}
      </span>
      <button
        className="switch"
        id="announcements-switch"
        type="submit"
        role="switch"
        aria-checked={isOn}
        aria-labelledby="announcements-label"
        aria-describedby="announcements-text"
        name="announcements"
        value={isOn ? 'off' : 'on'}
      />
      <output className="soft" id="announcements-text">
        {isOn ? fill(textWhenOn, { day: placeholder('since') }) : textWhenOff}
      </output>
    </form>
  )
}
