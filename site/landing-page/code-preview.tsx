import { landingPage } from '#content/landing-page.ts'
import { codePreview } from './figures.ts'

/** The first lines of the shipped file, coloured by the page's two meanings. */
export function CodePreview() {
  return (
    <pre className="code" tabIndex={0} role="region" aria-label={landingPage.whatsIncluded.script.codeName}>
      <span className="line-numbers" aria-hidden="true">
        {codePreview.map((_, line) => line + 1).join('\n')}
      </span>
      <code>{codePreview.flatMap((line, index) => [index > 0 ? '\n' : '', ...coloured(line)])}</code>
    </pre>
  )
}

const classes: Readonly<Record<string, string>> = { fast: 'fast', slow: 'slow', strategy: 'word', if: 'word' }
const tokens = /(\/\/.*|"[^"]*"|[\w.]+)/

function coloured(line: string) {
  return line.split(tokens).map((token, index) => {
    const name = token.startsWith('//') ? 'comment' : classes[token]
    return name ? (
      <span className={name} key={index}>
        {token}
      </span>
    ) : (
      token
    )
  })
}
