/** Mail loads nothing from outside, so the text stands in Georgia, not in the page's face. */
export const serif = "Georgia, 'Times New Roman', serif"
export const mono = "Menlo, Consolas, 'Liberation Mono', 'Courier New', monospace"

/** The page's colours by their names in the design. Inline, since some programs drop the style element. */
export const light = {
  paper: '#f6f7f3',
  ink: '#14191b',
  ink2: '#4c5659',
  rule: '#d3d9d2',
  fast: '#c2370a',
  slow: '#1f4f9c',
}

const dark = {
  paper: '#101517',
  ink: '#e8ebe5',
  ink2: '#a3aeac',
  rule: '#2b3436',
  fast: '#ff8b52',
  slow: '#82b1f7',
}

/** `!important`, because it has to win over the inline styles above. */
export const darkAndNarrow = [
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
