/** HTML of the parts of a page that never change after the build, by name. */
export type StaticParts = Readonly<Record<string, string>>

interface StaticPartProps {
  as: 'div' | 'section' | 'footer' | 'figure'
  name: string
  parts: StaticParts
  className?: string
  id?: string
  labelledBy?: string
}

/**
 * Keeps what the build has rendered, so that its words and drawings do not travel a second time as JavaScript.
 * React adopts it untouched; should it ever render anew, it has the same markup to put back.
 */
export function StaticPart({ as: Tag, name, parts, className, id, labelledBy }: StaticPartProps) {
  return (
    <Tag
      className={className}
      id={id}
      aria-labelledby={labelledBy}
      data-part={name}
      dangerouslySetInnerHTML={{ __html: parts[name] ?? '' }}
      suppressHydrationWarning
    />
  )
}

/** In the browser the markup itself is where the parts are kept. */
export function readStaticParts(app: HTMLElement): StaticParts {
  const elements = app.querySelectorAll<HTMLElement>('[data-part]')
  return Object.fromEntries([...elements].map((element) => [element.dataset.part ?? '', element.innerHTML]))
}
