import { VisuallyHidden } from '@mantine/core'
import type { DeskPlace } from '#contract/desk-paths.ts'
import { hrefOf, usePath } from '#owner/desk/views/navigation/location.ts'
import { Glyph } from '#owner/desk/views/parts/glyph.tsx'
import { linkTo } from './link-to.ts'
import styles from '#owner/desk/views/frame/frame.module.css'

interface NavigationLink {
  path: DeskPlace
  name: string
}

/** The views that a link at the top, or at the bottom of a phone, leads to. */
const links: readonly NavigationLink[] = [
  { path: '', name: 'Today' },
  { path: 'page', name: 'Page' },
  { path: 'people', name: 'People' },
  { path: 'mail', name: 'Mail' },
  { path: 'letters', name: 'Letters' },
  { path: 'check-up', name: 'Check-up' },
]

/** In Today's place until the page is open. */
const ready: NavigationLink = { path: 'ready', name: 'Ready' }

const you: NavigationLink = { path: 'you', name: 'You' }

interface NavigationProps {
  /** The paths of the links that lead to what the owner has to do. */
  needed: ReadonlySet<string>
  isHeldBack: boolean
}

export function Navigation({ needed, isHeldBack }: NavigationProps) {
  const shown = links.map((link) => (isHeldBack && link.path === '' ? ready : link))
  const place = usePath()
  // Without a name below /desk the first of the views is shown.
  const current = isHeldBack && place === '' ? ready.path : linkTo(place, { isHeldBack })
  const linkOf = (link: NavigationLink) => (
    <ViewLink
      key={link.path}
      {...link}
      isCurrent={link.path === current}
      isNeeded={needed.has(link.path)}
    />
  )
  return (
    <>
      <div className={styles.views}>{shown.map(linkOf)}</div>
      {linkOf(you)}
    </>
  )
}

interface ViewLinkProps extends NavigationLink {
  isCurrent: boolean
  isNeeded: boolean
}

function ViewLink({ path, name, isCurrent, isNeeded }: ViewLinkProps) {
  return (
    <a href={hrefOf(path)} className={styles.link} aria-current={isCurrent ? 'page' : undefined}>
      {name}
      {isNeeded && (
        <>
          {' '}
          <Glyph mark="wrong" size={13} margin={0} />
          <VisuallyHidden>needs you</VisuallyHidden>
        </>
      )}
    </a>
  )
}
