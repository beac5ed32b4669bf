import type { CodeLine, CodeToken } from '#site/kit/page-figures.ts'

/** A line of the script. The style sheet of each page colours the kinds that it shows. */
export function CodeTokens({ tokens }: Pick<CodeLine, 'tokens'>) {
  return tokens.map(coloured)
}

function coloured({ kind, text }: CodeToken, index: number) {
  if (kind === 'plain') return text
  return (
    <span className={kind} key={index}>
      {text}
    </span>
  )
}
