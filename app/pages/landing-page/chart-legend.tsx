import type { ReactNode } from 'react'
import { kit } from '#content/kit.ts'
import { chart } from '#content/landing-page.ts'
import { Tooltip } from '../ui/tooltip.tsx'

/** The lines at their true weight, if there are any, a hollow and a solid bar. */
export function ChartLegend() {
  const { up, down, sample } = chart
  return (
    <figcaption className="legend">
      {!kit.script.isYourOwn && <Averages />}
      <Key drawing={<path className="up-bar" d="M.5.5h6v13h-6z" />} width={7}>
        {up}
      </Key>
      <Key drawing={<path className="down-bar" d="M0 0h7v14H0z" />} width={7}>
        {down}
      </Key>
      <span className="sample">{sample}</span>
    </figcaption>
  )
}

function Averages() {
  const { fast, slow } = chart
  return (
    <>
      <Key drawing={<path className="fast-line" d="M0 7h22" />}>
        <Tooltip id="about-fast" term={fast.term}>
          {fast.tip}
        </Tooltip>{' '}
        {fast.role}
      </Key>
      <Key drawing={<path className="slow-line" d="M0 7h22" />}>
        <Tooltip id="about-slow" term={slow.term}>
          {slow.tip}
        </Tooltip>{' '}
        {slow.role}
      </Key>
    </>
  )
}

function Key({ drawing, width = 22, children }: { drawing: ReactNode; width?: number; children: ReactNode }) {
  return (
    <span className="key">
      <svg width={width} height="14" aria-hidden="true">
        {drawing}
      </svg>
      <span>{children}</span>
    </span>
  )
}
