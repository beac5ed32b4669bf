export const script = `<svg class="guide-drawing" role="img" aria-label="The Pine Editor with the first {count} lines of {fileName}. Line 1 reads: {firstLine}. The name of the script and Save stand above the lines." viewBox="0 0 430 {height}">
  <rect x="0" y="0" width="430" height="{height}" fill="none" stroke="var(--ink2)" stroke-width="0.75"/>
  <text x="14" y="19" font-size="10" font-weight="500" fill="var(--ink)">{title}</text>
  <rect x="284" y="6" width="46" height="18" fill="var(--ink)"/>
  <rect x="284" y="22" width="46" height="2.5" fill="var(--fast)"/>
  <text x="307" y="18" font-size="8.5" font-weight="600" text-anchor="middle" fill="var(--paper)">Save</text>
  <rect x="266" y="9" width="12" height="12" fill="var(--ink)"/>
  <text x="272" y="18" font-size="8" font-family="var(--mono)" text-anchor="middle" fill="var(--paper)">c</text>
  <rect x="342" y="6" width="74" height="18" fill="none" stroke="var(--ink2)" stroke-width="0.75"/>
  <text x="379" y="18" font-size="8.5" text-anchor="middle" fill="var(--ink2)">Add to chart</text>
  <path d="M0 30L430 30" fill="none" stroke="var(--rule)" stroke-width="0.75"/>
  <path d="M34 30L34 {height}" fill="none" stroke="var(--rule)" stroke-width="0.75"/>
  <g font-family="var(--mono)">{lines}</g>
</svg>`
