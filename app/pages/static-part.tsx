/** HTML by the part's name, for the parts of a page that never change after the build. */
export type StaticParts = Readonly<Record<string, string>>

interface StaticPartProps {
  as: 'div' | 'section' | 'footer'
  name: string
  parts: StaticParts
  className?: string
  labelledBy?: string
}

/**
 * Keeps the markup of the build, so that its words and drawings do not travel a second time as
 * JavaScript. React adopts it unchanged; if it renders the part again, it has the same markup.
 */
export function StaticPart({ as: Tag, name, parts, className, labelledBy }: StaticPartProps) {
  return (
    <Tag
      className={className}
      aria-labelledby={labelledBy}
      data-part={name}
      dangerouslySetInnerHTML={{ __html: parts[name] ?? '' }}
      suppressHydrationWarning
    />
  )
}

/** In the browser the parts are read from the markup itself. */
export function readStaticParts(app: HTMLElement): StaticParts {
  const elements = app.querySelectorAll<HTMLElement>('[data-part]')
  return Object.fromEntries(
    [...elements].map((element) => [element.dataset.part ?? '', element.innerHTML]),
  )
}
