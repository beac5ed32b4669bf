import { placeholder } from '#site/text/placeholders.ts'
import { useContent } from '#site/text/use-content.ts'
import { marked } from '#site/guide/guide-html.ts'
import { KitSection } from '../kit-section.tsx'
import '#site/pages/ui/text-field.css'
import './alert-section.css'
import './test-address.css' // for the part that the server puts in: test-address.tsx

/** Reads a message of TradingView, and lets TradingView send one here. */
export function AlertSection() {
  const text = useContent().firstAlert
  const lead = (
    <>
      <p dangerouslySetInnerHTML={{ __html: marked(text.text) }} />
      <p className="soft">{text.privacy}</p>
      <p className="without-script">{text.withoutJavaScript}</p>
    </>
  )
  return (
    <KitSection id="alert" heading={text.heading} lead={lead}>
      <div className="with-script">
        <label className="label" htmlFor="alert-message">
          {text.label}
        </label>
        <textarea
          className="field alert-message"
          id="alert-message"
          name="alert"
          rows={5}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <div id="alert-verdict" role="status" />
      </div>
      <div id="test-address">{placeholder('testAddress')}</div>
      <Reminder />
    </KitSection>
  )
}

/** A calendar file, made in the tab. */
function Reminder() {
  const text = useContent().firstAlert.reminder
  return (
    <div className="alert-part with-script">
      <h3>{text.heading}</h3>
      <p>{text.text}</p>
      <label className="label" htmlFor="expires">
        {text.label}
      </label>
      <div className="alert-row">
        <input className="field" type="date" id="expires" />
        <button className="button outlined" type="button" id="save-reminder">
          {text.button}
        </button>
      </div>
      <output id="save-reminder-result" />
    </div>
  )
}
