import { personalPage } from '#content/pages/personal-page.ts'
import { bridges } from '#kit/bridges/bridges.ts'
import { marked } from '#kit/guide/guide-html.ts'
import { KitSection } from './kit-section.tsx'

/** Says what is wrong with a pasted message. The script of the page reads it; nothing is sent. */
export function CheckSection() {
  const text = personalPage.check
  const lead = (
    <>
      <p className="with-script">{text.text}</p>
      <p className="soft with-script">{text.privacy}</p>
      <p className="without-script">{text.withoutJavaScript}</p>
    </>
  )
  return (
    <KitSection id="check" heading={text.heading} lead={lead}>
      <div className="check with-script">
        <div>
          <label className="label" htmlFor="check-bridge">
            {text.bridge}
          </label>
          <select className="field" id="check-bridge">
            {bridges.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
          <label className="label" htmlFor="check-message">
            {text.message}
          </label>
          <textarea className="field" id="check-message" rows={6} autoComplete="off" spellCheck={false} />
        </div>
        <div className="check-result">
          <output id="check-count" className="label" />
          <div id="check-findings" />
        </div>
      </div>
      <details className="looks-for">
        <summary>{text.looksFor}</summary>
        <ul>
          {text.things.map((thing) => (
            <li key={thing} dangerouslySetInnerHTML={{ __html: marked(thing) }} />
          ))}
        </ul>
      </details>
    </KitSection>
  )
}
