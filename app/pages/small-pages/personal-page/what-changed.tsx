import { dayInWords, type KitRelease, whatChanged as text } from '#content/releases.ts'
import { marked } from '#kit/guide/guide-html.ts'
import { KitSection } from './kit-section.tsx'

/** `left`: not on the list any more. */
export const announcementStates = ['on', 'off', 'left'] as const
type AnnouncementState = (typeof announcementStates)[number]

interface WhatChangedProps {
  /** The newest first. */
  releases: readonly KitRelease[]
  /** The one that was the newest when the visitor signed up. Undefined: no releases are known. */
  first: KitRelease | undefined
  announcements: AnnouncementState
}

/** The releases since the visitor's first version, and the switch for mail about the next. */
export function WhatChanged({ releases, first, announcements }: WhatChangedProps) {
  const [newest] = releases
  const since = first ? releases.slice(0, releases.indexOf(first) + 1) : []
  const isNewest = first === newest
  const lead = first && newest && (isNewest ? text.hasNewest : text.cameWith(first.version, newest.version))
  return (
    <KitSection id="what-changed" heading={text.heading} lead={lead && <p className="soft">{lead}</p>}>
      {since.length > 0 && (
        <ul className="releases">
          {since.map((release) => (
            <ReleaseRow
              key={release.version}
              release={release}
              isFirst={release === releases.at(-1)}
              isYours={release === first}
            />
          ))}
        </ul>
      )}
      {!isNewest && <p className="old-script">{text.oldScript}</p>}
      <AnnouncementSwitch state={announcements} />
    </KitSection>
  )
}

function ReleaseRow(row: { release: KitRelease; isFirst: boolean; isYours: boolean }) {
  const { version, date, changes } = row.release
  return (
    <li>
      <p className="mono">
        <b>{version}</b> <time dateTime={date}>{dayInWords(date)}</time>{' '}
        {row.isYours && <span className="yours">{text.yours}</span>}
      </p>
      {changes.length > 0 ? (
        <ul>
          {changes.map((change) => (
            <li key={change} dangerouslySetInnerHTML={{ __html: marked(change) }} />
          ))}
        </ul>
      ) : (
        row.isFirst && <p>{text.firstVersion}</p>
      )}
    </li>
  )
}

/** A form, so that it works without JavaScript. The answer is the page itself, with the new state. */
function AnnouncementSwitch({ state }: { state: AnnouncementState }) {
  const { label, on, off, textWhenOff, textWhenOn, textAfterLeaving } = text.announcements
  if (state === 'left') return <p className="soft announcements">{textAfterLeaving}</p>
  const isOn = state === 'on'
  return (
    <form className="announcements" method="post" action="/kit/{{token}}/announcements#what-changed">
      <b id="announcements-label">{label}</b>
      <span className="mono" aria-hidden="true">
        {isOn ? on : off}
      </span>
      <button
        className="switch"
        type="submit"
        role="switch"
        aria-checked={isOn}
        aria-labelledby="announcements-label"
        aria-describedby="announcements-text"
        name="announcements"
        value={isOn ? 'off' : 'on'}
      />
      <output className="soft" id="announcements-text">
        {isOn ? textWhenOn.join('{{since}}') : textWhenOff}
      </output>
    </form>
  )
}
