import type { ReactNode } from 'react'
import { marked } from '#site/guide/guide-html.ts'
import { placeholder } from '#site/text/placeholders.ts'
import { useContent } from '#site/text/use-content.ts'

/**
 * `closed`: none is open. `missing`: TradingView cannot reach this site. The server puts in the
 * part of one.
 */
export const testAddressStates = ['closed', 'open', 'missing'] as const

export function TestAddress({ state }: { state: (typeof testAddressStates)[number] }) {
  const text = useContent().firstAlert.test
  return (
    <div className="alert-part">
      <h3>{text.heading}</h3>
      {state === 'missing' ? (
        <p>{text.missing}</p>
      ) : (
        // The page's script shows the other one after a press.
        <>
          <div id="test-address-closed" hidden={state === 'open'}>
            <ClosedAddress />
          </div>
          <div id="test-address-open" hidden={state === 'closed'}>
            <OpenAddress />
          </div>
        </>
      )}
    </div>
  )
}

function ClosedAddress() {
  const text = useContent().firstAlert.test
  return (
    <>
      <p>{text.text}</p>
      <p className="soft">{text.privacy}</p>
      <AddressForm>
        <button className="button outlined" type="submit" id="get-test-address">
          {text.get}
        </button>
      </AddressForm>
    </>
  )
}

/** A form that opens or ends the address. Without JavaScript the answer is the whole page. */
function AddressForm({ children }: { children: ReactNode }) {
  return (
    <form method="post" action={`/kit/${placeholder('token')}/test-address#alert`}>
      {children}
    </form>
  )
}

function OpenAddress() {
  const text = useContent().firstAlert.test
  return (
    <>
      <p dangerouslySetInnerHTML={{ __html: marked(text.paste) }} />
      <p className="alert-address mono">
        <code id="test-address-url" translate="no" tabIndex={-1}>
          {placeholder('address')}
        </code>
      </p>
      <p className="with-script">
        <button className="button outlined" type="button" id="copy-test-address">
          {text.copy}
        </button>
      </p>
      <output id="copy-test-address-result" className="copy-result" />
      <p className="soft">
        {text.ends} <Moment name="endsAt" />
      </p>
      <div id="test-address-seen" role="status">
        <p className="alert-seen">{placeholder('seen')}</p>
        <p>{placeholder('done')}</p>
      </div>
      <ol id="arrivals" className="ruled">
        {placeholder('arrivals')}
      </ol>
      <details>
        <summary>{text.nothingHere}</summary>
        <ul className="alert-reasons">
          {text.reasons.map((reason) => (
            <li key={reason} dangerouslySetInnerHTML={{ __html: marked(reason) }} />
          ))}
        </ul>
      </details>
      <AddressForm>
        <input type="hidden" name="stop" value="1" />
        <button className="text-button" type="submit">
          {text.stop}
        </button>
      </AddressForm>
      <template id="arrival">
        <Arrival />
      </template>
    </>
  )
}

/** One message. The server fills in the part; the page's script fills in the template. */
export function Arrival() {
  return (
    <li className="arrival">
      <p className="mono soft">
        <Moment name="at" /> · <span data-value="contentType">{placeholder('contentType')}</span> ·{' '}
        <span data-value="sender">{placeholder('sender')}</span>
      </p>
      <p data-value="verdict">{placeholder('verdict')}</p>
      <pre translate="no">
        <code data-value="message">{placeholder('message')}</code>
      </pre>
    </li>
  )
}

/** A moment in UTC, until the page's script writes it in the visitor's zone. */
function Moment({ name }: { name: 'at' | 'endsAt' }) {
  return (
    <time dateTime={placeholder(name)} data-value={name}>
      {placeholder(`${name}InWords`)}
    </time>
  )
}
