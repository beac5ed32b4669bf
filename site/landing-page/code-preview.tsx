import { Fragment } from 'react'
import { landingPage } from '#content/landing-page.ts'
import { codePreview, type CodeToken } from '#starter-kit/page-figures.ts'

/** A piece of the shipped file with its own line numbers, coloured by the page's two meanings. */
export function CodePreview() {
  return (
    <pre className="code" tabIndex={0} role="region" aria-label={landingPage.whatsIncluded.script.codeName}>
      <span className="line-numbers" aria-hidden="true">
        {codePreview.map((line) => line.number).join('\n')}
      </span>
      <code>
        {codePreview.map((line) => (
          <Fragment key={line.number}>
            {line.tokens.map(coloured)}
            {'\n'}
          </Fragment>
        ))}
      </code>
    </pre>
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
