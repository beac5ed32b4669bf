export const report = `<svg class="guide-drawing" role="img" aria-label="The strategy panel below the chart, tab List of trades. {tradesInWords}" viewBox="0 0 430 188">
  <rect x="0" y="0" width="430" height="188" fill="none" stroke="var(--ink2)" stroke-width="0.75"/>
  <text x="14" y="20" font-size="9.5" font-weight="600" fill="var(--ink)">Strategy Report</text>
  <rect x="96" y="11" width="12" height="12" fill="var(--ink)"/>
  <text x="102" y="20" font-size="8" font-family="var(--mono)" text-anchor="middle" fill="var(--paper)">a</text>
  <path d="M0 32L430 32" fill="none" stroke="var(--rule)" stroke-width="0.75"/>
  <text x="14" y="49" font-size="9" fill="var(--ink2)">Overview</text>
  <text x="72" y="49" font-size="9" font-weight="600" fill="var(--ink)">List of trades</text>
  <path d="M72 56L133 56" fill="none" stroke="var(--ink)" stroke-width="1.5"/>
  <rect x="142" y="40" width="12" height="12" fill="var(--ink)"/>
  <text x="148" y="49" font-size="8" font-family="var(--mono)" text-anchor="middle" fill="var(--paper)">c</text>
  <text x="226" y="49" font-size="9" fill="var(--ink2)">Max equity drawdown</text>
  <rect x="334" y="43" width="40" height="5" fill="var(--rule)"/>
  <rect x="382" y="40" width="12" height="12" fill="var(--ink)"/>
  <text x="388" y="49" font-size="8" font-family="var(--mono)" text-anchor="middle" fill="var(--paper)">b</text>
  <path d="M0 56.5L430 56.5" fill="none" stroke="var(--rule)" stroke-width="0.75"/>
  <text x="14" y="74" font-size="8" font-family="var(--mono)" fill="var(--ink2)">Trade</text>
  <text x="62" y="74" font-size="8" font-family="var(--mono)" fill="var(--ink2)">Type</text>
  <text x="150" y="74" font-size="8" font-family="var(--mono)" fill="var(--ink2)">Signal</text>
  <text x="346" y="74" font-size="8" font-family="var(--mono)" text-anchor="end" fill="var(--ink2)">Price</text>
  <path d="M0 82L430 82" fill="none" stroke="var(--rule)" stroke-width="0.75"/>
  <g font-size="8" font-family="var(--mono)" fill="var(--ink)">{trades}</g>
</svg>`
