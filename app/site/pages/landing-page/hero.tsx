import type { ReactNode } from 'react'
import { drawChart } from '#site/chart/chart.ts'
import type { SampleRun } from '#site/chart/sample-run.ts'
import { fill } from '#site/text/fill.ts'
import { useContent } from '#site/text/use-content.ts'
import { PriceLine } from '../frame/frame.tsx'
import { type PagePicture, usePictures } from '../frame/page-pictures.ts'
import { Tooltip } from '../ui/tooltip.tsx'
import { TryLengths } from './try-lengths/try-lengths.tsx'
import '../frame/chart.css'
import './hero.css'

export function Hero({ form }: { form: ReactNode }) {
  const { landingPage } = useContent()
  const { badge, heading, lede, reassurance } = landingPage.hero
  const [firstLine, rest] = heading
  return (
    <section className="hero columns" aria-labelledby="top">
      <PriceLine tag="0.00">
        <p className="badge">{badge}</p>
      </PriceLine>
      <h1 id="top">
        <span className="line">{firstLine}</span> {rest}
      </h1>
      <p className="lede">{lede}</p>
      {form}
      <p className="reassurance soft">{reassurance}</p>
      <Chart />
    </section>
  )
}

/** The owner's, or the run of our script. */
function Chart() {
  const { ourRun } = useContent()
  const { chart } = usePictures()
  if (chart) return <OwnChart chart={chart} />
  return ourRun && <SampleChart run={ourRun} />
}

/** Cropped, it is as high as ours. */
function OwnChart({ chart }: { chart: PagePicture }) {
  const { ownChart, crop } = useContent().landingPage.chart
  const { chartDark, chartPhone } = usePictures()
  return (
    <figure className="figure">
      <picture>
        {chartPhone && <source media={narrow} {...sourceOf(chartPhone)} />}
        {chartDark && <source media="(prefers-color-scheme:dark)" {...sourceOf(chartDark)} />}
        <img className="own-chart" data-crop={crop} {...sizedImage(chart)} alt={ownChart} />
      </picture>
    </figure>
  )
}

/** Screens for which our chart is drawn as for a phone. */
const narrow = '(max-width:44.9988em)'

function sourceOf({ url, width, height }: PagePicture) {
  return { srcSet: url, width, height }
}

function sizedImage({ url, width, height }: PagePicture) {
  return { src: url, width, height }
}

function SampleChart({ run }: { run: SampleRun }) {
  const { falseSignal } = useContent().setupGuide
  return (
    <figure className="figure">
      <ChartLegend lengths={run.lengths} />
      <div dangerouslySetInnerHTML={{ __html: drawChart({ falseSignal }, run) }} />
      <TryLengths />
    </figure>
  )
}

/** The lines at their true weight, and a hollow and a solid bar. */
function ChartLegend({ lengths }: Pick<SampleRun, 'lengths'>) {
  const { up, down, sample } = useContent().landingPage.chart
  return (
    <figcaption className="legend mono">
      <Average line="fast" length={lengths.fast} />
      <Average line="slow" length={lengths.slow} />
      <Key drawing={<path fill="none" stroke="var(--ink2)" d="M.5.5h6v13h-6z" />} width={7}>
        {up}
      </Key>
      <Key drawing={<path fill="var(--ink2)" d="M0 0h7v14H0z" />} width={7}>
        {down}
      </Key>
      <span className="sample">{sample}</span>
    </figcaption>
  )
}

function Average({ line, length }: { line: 'fast' | 'slow'; length: number }) {
  const { term, tip, role } = useContent().landingPage.chart[line]
  const values = { length: String(length) }
  return (
    <Key drawing={<path className={`${line}-line`} d="M0 7h22" />}>
      <Tooltip id={`about-${line}`} term={fill(term, values)}>
        {fill(tip, values)}
      </Tooltip>{' '}
      {role}
    </Key>
  )
}

function Key({
  drawing,
  width = 22,
  children,
}: {
  drawing: ReactNode
  width?: number
  children: ReactNode
}) {
  return (
    <span className="key">
      <svg width={width} height="14" aria-hidden="true">
        {drawing}
      </svg>
      <span>{children}</span>
    </span>
  )
}
