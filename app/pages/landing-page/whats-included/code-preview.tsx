import { Fragment } from 'react'
import { whatsIncluded } from '#content/landing-page.ts'
import { codePreview, type CodeToken } from '#kit/page-figures.ts'

/** A piece of the shipped file with its own line numbers, coloured by the page's two meanings. */
export function CodePreview() {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls where it is narrow: keys must reach it
    <section className="code" tabIndex={0} aria-label={whatsIncluded.script.codeName}>
      <pre className="line-numbers" aria-hidden="true">
        {codePreview.map((line) => line.number).join('\n')}
      </pre>
      <pre>
        <code>
          {codePreview.map((line) => (
            <Fragment key={line.number}>
              {line.tokens.map(coloured)}
              {'\n'}
            </Fragment>
          ))}
        </code>
      </pre>
    </section>
  )
}

function coloured({ kind, text }: CodeToken, index: number) {
  if (kind === 'plain') return text
  return (
    <span className={kind} key={index}>
      {text}
    </span>
  )
}
