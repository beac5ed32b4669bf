import type { CSSProperties, ReactNode } from 'react'
import type { Colours } from '#content/palette.ts'
import { useContent } from '#site/text/use-content.ts'

/** The mail loads nothing from outside, so it is set in Georgia, not in the page's font. */
export const serif = "Georgia, 'Times New Roman', serif"
export const mono = "Menlo, Consolas, 'Liberation Mono', 'Courier New', monospace"

/**
 * `!important` overrides the inline styles, which are there because some programs drop the style
 * element.
 */
export function darkAndNarrow(dark: Colours): string {
  return [
    ':root{color-scheme:light dark}',
    '@media (prefers-color-scheme:dark){',
    `.paper{background-color:${dark.paper}!important}`,
    `.ink{color:${dark.ink}!important}`,
    `.ink2{color:${dark.ink2}!important}`,
    `.rule{border-color:${dark.rule}!important}`,
    `.strong{border-color:${dark.ink}!important}`,
    `.button{color:${dark.paper}!important;background-color:${dark.ink}!important}`,
    `.fast{border-color:${dark.fast}!important}`,
    `.slow{border-color:${dark.slow}!important}`,
    '}',
    '@media (max-width:520px){',
    '.sheet{padding:16px 20px 32px!important}',
    '.cell{padding:0!important}',
    '.stack{display:block!important;width:auto!important}',
    '.stack:first-child{padding:16px 0 0!important;border-bottom-width:0!important}',
    '.stack:last-child{padding:12px 0 16px!important}',
    '}',
  ].join('')
}

/** The attributes of a text in one of the two ink colours, light and dark. */
export interface Inked {
  readonly className: 'ink' | 'ink2'
  readonly style: CSSProperties
}

/** Makes such attributes from a colour, a font and further styles. */
type MakeInked = (colour: Inked['className'], font: string, style?: CSSProperties) => Inked

/** In a palette's light colours. */
export function inkedIn(light: Colours): MakeInked {
  return (colour, font, style = {}) => {
    return { className: colour, style: { ...style, font, color: light[colour] } }
  }
}

/** In the colours of the document. */
export function useInked(): MakeInked {
  return inkedIn(useContent().palette.light)
}

/** Mail programs lay out with tables; `role` tells a screen reader that these hold no data. */
export function Table(props: { className?: string; style?: CSSProperties; children: ReactNode }) {
  const style = { width: '100%', borderCollapse: 'collapse', ...props.style } as const
  return (
    <table
      role="presentation"
      width="100%"
      border={0}
      cellPadding={0}
      cellSpacing={0}
      className={props.className}
      style={style}
    >
      <tbody>{props.children}</tbody>
    </table>
  )
}

/**
 * The fast line above the slow one, in the colours and weights of the chart: a reader knows the two
 * by their order too. Their lengths are as 9 to 21, those of the averages.
 */
export function TwoLines() {
  const { light } = useContent().palette
  const line = { fontSize: 0, lineHeight: 0 }
  return (
    <div data-skip-in-text="true" aria-hidden="true">
      <div
        className="fast"
        style={{ ...line, marginTop: 14, width: '42.857%', borderTop: `2px solid ${light.fast}` }}
      />
      <div
        className="slow"
        style={{ ...line, marginTop: 4, borderTop: `4px solid ${light.slow}` }}
      />
    </div>
  )
}

/**
 * 48 px high with its base. Outlook drops the padding of a link but keeps the height and colour of
 * a cell.
 */
export function Button(props: { href: string; children: ReactNode }) {
  const { light } = useContent().palette
  const colours = { color: light.paper, backgroundColor: light.ink }
  return (
    <Table>
      <tr>
        <td
          align="center"
          className="button fast"
          style={{ backgroundColor: light.ink, borderBottom: `4px solid ${light.fast}` }}
        >
          <a
            href={props.href}
            className="button"
            style={{
              display: 'block',
              font: `bold 16px/44px ${serif}`,
              ...colours,
              textDecoration: 'none',
            }}
          >
            {props.children}
          </a>
        </td>
      </tr>
    </Table>
  )
}

export function Paragraph({ top = 0, children }: { top?: number; children: ReactNode }) {
  const inked = useInked()
  return <p {...inked('ink', `17px/26px ${serif}`, { margin: `${top}px 0 0` })}>{children}</p>
}

export function SmallPrint({ top = 0, children }: { top?: number; children: ReactNode }) {
  const inked = useInked()
  return <p {...inked('ink2', `14px/22px ${serif}`, { margin: `${top}px 0 0` })}>{children}</p>
}

export function Link(props: { href: string; colour?: 'ink' | 'ink2'; children: ReactNode }) {
  const { colour = 'ink' } = props
  const { light } = useContent().palette
  return (
    <a className={colour} style={{ color: light[colour] }} href={props.href}>
      {props.children}
    </a>
  )
}

/** A separate block, because the text part would join two neighbouring links. */
export function SmallLink(props: { href: string; children: string }) {
  return (
    <SmallPrint>
      <Link href={props.href} colour="ink2">
        {props.children}
      </Link>
    </SmallPrint>
  )
}
