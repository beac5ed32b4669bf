import type { CodeLine } from '#kit/page-figures.ts'

/** A line of the script. The style sheets colour the kinds. */
export function CodeTokens({ tokens }: Pick<CodeLine, 'tokens'>) {
  return tokens.map(({ kind, text }, index) =>
    kind === 'plain' ? (
      text
    ) : (
      <span className={kind} key={index}>
        {text}
      </span>
    ),
  )
}
