import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ourContent } from '#rigs/our-content.ts'
import { ContentContext } from '#site/text/use-content.ts'
import { ScriptSection } from './script-section.tsx'

function render(script: string): string {
  return renderToStaticMarkup(
    <ContentContext value={ourContent}>
      <ScriptSection script={script} version="1.0.0" token="TOKEN" sections={[]} />
    </ContentContext>,
  )
}

test('the key below the listing names the marks that the script has', () => {
  const enters = render('strategy("Turn")\nstrategy.entry("Long", strategy.long)\n')
  expect(enters).toContain('key-enters')
  expect(enters).not.toContain('key-leaves')
  const indicator = render('indicator("RSI")\nplot(ta.rsi(close, 14))\n')
  expect(indicator).not.toContain('key-')
})

test('only a script that is longer than its window has the switch that shows all of it', () => {
  const ofLines = (count: number) => Array.from({ length: count }, () => 'plot(close)').join('\n')
  expect(render(ofLines(22))).not.toContain('show-all')
  expect(render(ofLines(23))).toContain('show-all')
})
