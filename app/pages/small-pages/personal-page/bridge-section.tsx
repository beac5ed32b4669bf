import type { ReactNode } from 'react'
import { type Bridge, messageFor, splitAtPlaces } from '#kit/bridges/bridge.ts'
import { bridges } from '#kit/bridges/bridges.ts'
import { marked } from '#kit/guide/guide-html.ts'
import { dayInWords } from '#text/day-in-words.ts'
import { useContent } from '#text/use-content.ts'
import { KitSection } from './kit-section.tsx'

/**
 * The message for one of six bridges. All are in the page: style sheets show the chosen one, with
 * or without JavaScript.
 */
export function BridgeSection() {
  const text = useContent().personalPage.bridges
  const directions = Object.values(text.directions).map((name) => ({ id: name, name }))
  const lead = (
    <>
      <p>{text.text}</p>
      <p className="soft">{text.privacy}</p>
    </>
  )
  return (
    <KitSection id="bridge" heading={text.heading} lead={lead}>
      <div id="bridges">
        <Choice name="bridge" legend={text.choice} values={bridges} />
        <div className="bridge-fields with-script">
          <Choice name="direction" legend={text.direction} values={directions} />
          <Field id="symbol" />
          <Field id="size" />
        </div>
        {bridges.map((bridge) => (
          <BridgePanel key={bridge.id} bridge={bridge} />
        ))}
      </div>
    </KitSection>
  )
}

function Choice(choice: {
  name: string
  legend: string
  values: readonly { id: string; name: string }[]
}) {
  const { name, legend, values } = choice
  return (
    <fieldset className={`choice-of-${name}`}>
      <legend className="label">{legend}</legend>
      <div className="cells">
        {values.map((value, index) => (
          <label key={value.id}>
            <input type="radio" name={name} value={value.id} defaultChecked={index === 0} />
            <span>{value.name}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** The script of the page writes the words of the chosen bridge. */
function Field({ id }: { id: 'symbol' | 'size' }) {
  return (
    <div id={`${id}-field`}>
      <label className="label" htmlFor={id} id={`${id}-label`}>
        {id}
      </label>
      <input
        className="field"
        id={id}
        inputMode={id === 'size' ? 'decimal' : 'text'}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
        aria-describedby={`${id}-hint`}
      />
      <p className="soft hint" id={`${id}-hint`} />
    </div>
  )
}

function BridgePanel({ bridge }: { bridge: Bridge }) {
  const text = useContent().personalPage.bridges
  const { id, name, messageFormat, source, sourceTitle, readOn, recipe, exits, checks, unchecked } =
    bridge
  return (
    <div className="bridge-panel" data-bridge={id}>
      <div>
        <Part number={1} heading={text.settings}>
          <dl className="settings">
            <dt className="soft">{text.messageFormat}</dt>
            <dd>{messageFormat ? <strong>{messageFormat}</strong> : text.anyFormat}</dd>
            <dt className="soft">{text.direction}</dt>
            <dd>
              <strong data-direction>{text.directions.longOnly}</strong>
            </dd>
            <dt className="soft">{text.sendExits}</dt>
            <dd dangerouslySetInnerHTML={{ __html: marked(exits) }} />
          </dl>
          <p className="long-and-short with-script" hidden>
            {text.longAndShort['all']} {text.longAndShort[id]}
          </p>
        </Part>
        <Part number={2} heading={text.box}>
          <BridgeMessage bridge={bridge} />
          {recipe && (
            <p className="format-source">
              <a href={recipe.href}>{recipe.title}</a>
            </p>
          )}
          <p className="format-source">
            <a href={source}>{sourceTitle ?? `${text.source} ${name}`}</a>{' '}
            <span className="soft">
              {text.readOn} {dayInWords(readOn)}
            </span>
          </p>
          <p className="soft hint">
            {text.untried} {unchecked}
          </p>
        </Part>
      </div>
      <Part number={3} heading={text.beforeSave}>
        <ul className="ruled">
          {checks.map((check, index) => (
            <li key={check} className="ticked">
              <input type="checkbox" id={`${id}-${index}`} />
              {/* oxlint-disable-next-line jsx-a11y/label-has-associated-control -- its words come as markup */}
              <label
                htmlFor={`${id}-${index}`}
                dangerouslySetInnerHTML={{ __html: marked(check) }}
              />
            </li>
          ))}
        </ul>
      </Part>
    </div>
  )
}

function Part({
  number,
  heading,
  children,
}: {
  number: number
  heading: string
  children: ReactNode
}) {
  return (
    <div className="bridge-part">
      <h3>
        <span className="mono soft">{number}</span> {heading}
      </h3>
      {children}
    </div>
  )
}

function BridgeMessage({ bridge }: { bridge: Bridge }) {
  const text = useContent().personalPage.bridges
  const { id, ownMessage, places } = bridge
  const message = messageFor(bridge)
  if (message === undefined) {
    return <p dangerouslySetInnerHTML={{ __html: marked(ownMessage ?? '') }} />
  }
  return (
    <>
      <pre className="bridge-message">
        <code id={`message-${id}`}>{splitAtPlaces(message).map(place)}</code>
      </pre>
      <p className="with-script">
        <button className="button outlined" type="button" id={`copy-${id}`}>
          {text.copy}
        </button>
      </p>
      <output id={`copy-${id}-result`} className="copy-result" />
      {places.map(({ word, is }) => (
        <p className="place" key={word} data-place={word}>
          <code>{word}</code> is {is}. {text.fillIn}
        </p>
      ))}
    </>
  )
}

function place(piece: string, index: number) {
  return index % 2 === 0 ? piece : <b key={index}>{piece}</b>
}
