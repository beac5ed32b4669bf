import { VisuallyHidden } from '@mantine/core'
import { hrefOf, usePath } from '../navigation/location.ts'
import { Glyph } from '../parts/glyph.tsx'
import styles from './frame.module.css'

interface NavigationLink {
  path: string
  name: string
}

/** The views that a link at the top, or at the bottom of a phone, leads to. */
const links: readonly NavigationLink[] = [
  { path: '', name: 'Today' },
  { path: 'page', name: 'Page' },
  { path: 'people', name: 'People' },
  { path: 'mail', name: 'Mail' },
  { path: 'announce', name: 'Announce' },
  { path: 'check-up', name: 'Check-up' },
]

/** `needed`: the paths of the views that say what the owner has to do. */
export function Navigation({ needed }: { needed: ReadonlySet<string> }) {
  return (
    <>
      <div className={styles.views}>
        {links.map((link) => (
          <ViewLink key={link.path} {...link} isNeeded={needed.has(link.path)} />
        ))}
      </div>
      <ViewLink path="you" name="You" isNeeded={false} />
    </>
  )
}

function ViewLink({ path, name, isNeeded }: NavigationLink & { isNeeded: boolean }) {
  const [current] = usePath().split('/')
  return (
    <a
      href={hrefOf(path)}
      className={styles.link}
      aria-current={path === current ? 'page' : undefined}
    >
      {name}
      {isNeeded && (
        <>
          {' '}
          <Glyph mark="wrong" />
          <VisuallyHidden>needs you</VisuallyHidden>
        </>
      )}
    </a>
  )
}
