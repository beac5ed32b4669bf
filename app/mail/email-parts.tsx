import type { CSSProperties, ReactNode } from 'react'
import { light, serif } from './email-style.ts'

/** Mail programs lay out with tables; `role` tells a screen reader that these hold no data. */
export function Table(props: { className?: string; style?: CSSProperties; children: ReactNode }) {
  return (
    <table
      role="presentation"
      width="100%"
      border={0}
      cellPadding={0}
      cellSpacing={0}
      className={props.className}
      style={{ width: '100%', borderCollapse: 'collapse', ...props.style }}
    >
      <tbody>{props.children}</tbody>
    </table>
  )
}

/** The fast line above the slow one, as long as 9 is to 21. Never swapped, never in another order. */
export function TwoLines() {
  const line = { fontSize: 0, lineHeight: 0 }
  return (
    <div data-skip-in-text="true" aria-hidden="true">
      <div
        className="fast"
        style={{ ...line, marginTop: 14, width: '42.857%', borderTop: `2px solid ${light.fast}` }}
      />
      <div className="slow" style={{ ...line, marginTop: 4, borderTop: `4px solid ${light.slow}` }} />
    </div>
  )
}

/** 48 px high with its base. Outlook drops the padding of a link but keeps the height and colour of a cell. */
export function Button(props: { href: string; children: ReactNode }) {
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
              color: light.paper,
              backgroundColor: light.ink,
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

export function Paragraph(props: { style?: CSSProperties; children: ReactNode }) {
  return (
    <p className="ink" style={{ margin: 0, font: `17px/26px ${serif}`, color: light.ink, ...props.style }}>
      {props.children}
    </p>
  )
}

export function SmallPrint(props: { style?: CSSProperties; children: ReactNode }) {
  return (
    <p className="ink2" style={{ margin: 0, font: `14px/22px ${serif}`, color: light.ink2, ...props.style }}>
      {props.children}
    </p>
  )
}

/** Mail programs show it after the subject; in the mail it is not seen. */
export function Preview({ children }: { children: string }) {
  return (
    <div data-skip-in-text="true" style={{ display: 'none', maxHeight: 0, overflow: 'hidden' }}>
      {children}
    </div>
  )
}

/** Not in the text part, where it would stick to the link before it. */
export function FullStop() {
  return <span data-skip-in-text="true">.</span>
}
