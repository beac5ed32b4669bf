import { consentWords } from '#contract/consent-words.ts'
import { scriptListing, type CodeLine } from '#site/kit/page-figures.ts'
import { fill } from '#site/text/fill.ts'
import { Filled } from '#site/text/filled.tsx'
import { placeholder } from '#site/text/placeholders.ts'
import { useContent } from '#site/text/use-content.ts'
import { CodeTokens } from '#site/pages/frame/code-tokens.tsx'
import { WordingField } from '../wording-field.tsx'
import { KitSection } from './kit-section.tsx'
import './script-section.css'

interface ScriptSectionProps {
  /** The text of the script that is given away. */
  script: string
  version: string
  token: string
  /** The other sections of the page. */
  sections: readonly { id: string; heading: string; minute?: string }[]
}

/** A longer script is seen in part at first: 15 lines on a phone, 22 on a wider screen. */
const maxLinesSeenWhole = 22

/** The whole script, to be copied; on a phone, the link to this page, to be sent to a computer. */
export function ScriptSection({ script, version, token, sections }: ScriptSectionProps) {
  const { fileNames, personalPage } = useContent()
  const { script: text, files } = personalPage
  const listing = scriptListing(script)
  const lines = String(listing.length)
  const has = (wanted: CodeLine['order']) => listing.some(({ order }) => order === wanted)
  const aside = (
    <nav className="kit-sections" aria-label={personalPage.sections}>
      <ul>
        {sections.map(({ id, heading, minute }) => (
          <li key={id}>
            <a href={`#${id}`}>{heading}</a>
            {minute && <span className="mono soft">{minute}</span>}
          </li>
        ))}
      </ul>
    </nav>
  )
  return (
    <KitSection id="script" heading={text.heading} lead={<Lead token={token} />} aside={aside}>
      <div className="listing">
        <p className="plate mono">
          <code translate="no">{fileNames.script}</code>
          <span>
            {fill(files.version, { version })} · {fill(text.lines, { lines })}
          </span>
        </p>
        <pre className="listing-window" translate="no">
          <code id="script-lines">{listing.map(listedLine)}</code>
        </pre>
        <div className="listing-foot mono">
          {has('enters') && <span className="key-enters">{text.enters}</span>}
          {has('leaves') && <span className="key-leaves">{text.leaves}</span>}
          {listing.length > maxLinesSeenWhole && (
            <label className="ticked">
              <input type="checkbox" id="show-all" />
              {fill(text.showAll, { lines })}
            </label>
          )}
        </div>
      </div>
    </KitSection>
  )
}

function Lead({ token }: { token: string }) {
  const { script: text } = useContent().personalPage
  const mailQuery = `subject=${encodeURIComponent(text.sendSubject)}&body=${placeholder('publicUrl')}/kit/${token}%23script`
  return (
    <>
      <p className="on-computer">
        <Filled text={text.text} addToChart={<strong>{text.addToChart}</strong>} />
      </p>
      <p className="on-phone">{text.textOnPhone}</p>
      <p className="on-phone">
        <a className="button" id="send-link" href={`mailto:?${mailQuery}`}>
          {text.send}
        </a>
      </p>
      <p className="with-script">
        <button className="button copy-script" type="button" id="copy-script">
          {text.copy}
        </button>
      </p>
      <output id="copy-script-result" className="copy-result" />
      <p id="open-chart" className="below-copy" hidden>
        <a className="text-link" href={text.chartUrl} target="_blank" rel="noopener noreferrer">
          {text.openChart}
        </a>
      </p>
      {/* Written by the script of the page, from what the tab keeps. */}
      <p id="tried-lengths" className="below-copy" hidden />
      <AskForNews token={token} />
      <p className="without-script">{text.withoutJavaScript}</p>
    </>
  )
}

/** Shown once, after a copy or a download: app/site/pages/browser/ask-for-news.ts. */
function AskForNews({ token }: { token: string }) {
  const { question, text, button } = consentWords(useContent()).asked
  return (
    <form
      id="ask-for-news"
      className="ask-for-news"
      method="post"
      action={`/kit/${token}/news#what-changed`}
      hidden
    >
      <input type="hidden" name="place" value="copied" />
      <WordingField />
      <p>{question}</p>
      <p className="soft">{text}</p>
      <button className="text-button" type="submit">
        {button}
      </button>
      <output tabIndex={-1} />
    </form>
  )
}

/** Its line break is inside, so that the text of all lines is the file. */
function listedLine({ number, tokens, order }: CodeLine) {
  return (
    <span className={order ? `line ${order}` : 'line'} key={number}>
      <CodeTokens tokens={tokens} />
      {'\n'}
    </span>
  )
}
