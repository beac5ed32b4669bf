import type { ReactNode } from 'react'
import {
  type Bridge,
  type ExitsSwitch,
  messageFor,
  splitAtPlaces,
} from '#site/kit/bridges/bridge.ts'
import { bridges } from '#site/kit/bridges/bridges.ts'
import { boxInWords } from '#site/kit/alert/order.ts'
import { marked } from '#site/guide/guide-html.ts'
import { dayInWords } from '#site/text/day-in-words.ts'
import { Filled } from '#site/text/filled.tsx'
import { useContent } from '#site/text/use-content.ts'
import { KitSection } from './kit-section.tsx'
import '#site/pages/ui/text-field.css'
import './bridge-section.css'

/**
 * The message for one of six bridges. All are in the page: style sheets show the chosen one, with
 * or without JavaScript.
 */
export function BridgeSection() {
  const text = useContent().personalPage.bridges
  const directions = Object.values(text.directions).map((name) => ({ id: name, name }))
  const { legend, off, on } = text.exits
  const exits = [
    { id: 'off', name: off },
    { id: 'on', name: on },
  ]
  const lead = (
    <>
      <p>{text.text}</p>
      <p className="soft">{text.privacy}</p>
      <p className="soft">
        <Filled text={text.terms} link={<a href={text.termsUrl}>{text.termsLink}</a>} />
      </p>
    </>
  )
  return (
    <KitSection id="bridge" heading={text.heading} lead={lead}>
      <div id="bridges">
        <Choice name="bridge" legend={text.choice} values={bridges} />
        <div className="bridge-fields">
          <div className="with-script">
            <Choice name="direction" legend={text.direction} values={directions} />
          </div>
          <Choice name="exits" legend={legend} values={exits} />
          <Field id="symbol" />
          <Field id="size" />
        </div>
        <style dangerouslySetInnerHTML={{ __html: chosenPanel }} />
        {bridges.map((bridge) => (
          <BridgePanel key={bridge.id} bridge={bridge} />
        ))}
      </div>
    </KitSection>
  )
}

/** Shows the panel of the chosen bridge, with or without JavaScript. */
const chosenPanel = `${bridges
  .map(({ id }) => `#bridges:has([value='${id}']:checked) [data-bridge='${id}']`)
  .join()}{display:grid}`

function Choice(choice: {
  name: string
  legend: string
  values: readonly { id: string; name: string; withExits?: object }[]
}) {
  const { name, legend, values } = choice
  return (
    <fieldset className={`choice-of-${name}`}>
      <legend className="label">{legend}</legend>
      <div className="cells">
        {values.map((value, index) => (
          <label key={value.id}>
            <input
              type="radio"
              name={name}
              value={value.id}
              defaultChecked={index === 0}
              data-with-exits={value.withExits && ''}
            />
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
    <div id={`${id}-field`} className="with-script">
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
  const { brand, personalPage } = useContent()
  const text = personalPage.bridges
  const warnings: Readonly<Record<string, string>> = text.longAndShort
  const { id, name, messageFormat, source, sourceTitle, readOn, recipe, unchecked } = bridge
  return (
    <div className="bridge-panel" data-bridge={id}>
      <div className="bridge-steps">
        <Part number={1} heading={text.settings}>
          <dl className="settings">
            <dt className="soft">{text.messageFormat}</dt>
            <dd>{messageFormat ? <strong>{messageFormat}</strong> : text.anyFormat}</dd>
            <dt className="soft">{text.direction}</dt>
            <dd>
              <strong data-direction>{text.directions.longOnly}</strong>
            </dd>
            <dt className="soft">{text.sendExits}</dt>
            <Exits bridge={bridge} />
          </dl>
          <p className="long-and-short with-script" hidden>
            {text.longAndShort.all} {warnings[id]}
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
              {text.readOn} {dayInWords(readOn, brand.language)}
            </span>
          </p>
          <p className="soft hint">
            {text.untried} {unchecked}
          </p>
        </Part>
      </div>
      <div className="bridge-steps">
        <Part number={3} heading={text.beforeSave}>
          {variantsOf(bridge).map((exits) => (
            <CheckList key={exits} bridge={bridge} exits={exits} list="checks" />
          ))}
        </Part>
        <Part number={4} heading={text.afterFill}>
          {variantsOf(bridge).map((exits) => (
            <CheckList key={exits} bridge={bridge} exits={exits} list="checksLater" />
          ))}
        </Part>
      </div>
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

/** Parts that differ by the position of the switch are in the page twice; one is shown. */
function variantsOf({ withExits }: Bridge): readonly ExitsSwitch[] {
  return withExits ? ['off', 'on'] : ['off']
}

/** The attributes of such a part. Without a second variant the switch does not change it. */
function shownWith(bridge: Bridge, exits: ExitsSwitch) {
  return bridge.withExits ? { 'data-exits': exits, hidden: exits === 'on' } : {}
}

/** The position of the script's input, and what it does. */
function Exits({ bridge }: { bridge: Bridge }) {
  const text = useContent().personalPage.bridges
  return variantsOf(bridge).map((exits) => (
    <dd key={exits} {...shownWith(bridge, exits)}>
      <strong>{text.exits[exits]}</strong>
      <p
        className="hint"
        dangerouslySetInnerHTML={{
          __html: marked((exits === 'on' ? bridge.withExits : bridge)?.exits ?? ''),
        }}
      />
    </dd>
  ))
}

function CheckList(props: { bridge: Bridge; exits: ExitsSwitch; list: 'checks' | 'checksLater' }) {
  const { bridge, exits, list } = props
  const checks = ((exits === 'on' ? bridge.withExits : undefined) ?? bridge)[list]
  const idOf = (index: number) => `${list}-${bridge.id}-${exits}-${index}`
  return (
    <ul className="ruled" {...shownWith(bridge, exits)}>
      {checks.map((check, index) => (
        <li key={check} className="ticked">
          <input type="checkbox" id={idOf(index)} />
          {/* oxlint-disable-next-line jsx-a11y/label-has-associated-control -- its words come as markup */}
          <label htmlFor={idOf(index)} dangerouslySetInnerHTML={{ __html: marked(check) }} />
        </li>
      ))}
    </ul>
  )
}

/** With the places in it that are filled in at TradingView. */
function BridgeMessage({ bridge }: { bridge: Bridge }) {
  const text = useContent().personalPage.bridges
  if (bridge.ownMessage !== undefined) {
    return <p dangerouslySetInnerHTML={{ __html: marked(bridge.ownMessage) }} />
  }
  return (
    <>
      {variantsOf(bridge).map((exits) => (
        <MessageToCopy key={exits} bridge={bridge} exits={exits} />
      ))}
      {bridge.places.map(({ word, is }) => (
        <p className="place" key={word} data-place={word}>
          <code translate="no">{word}</code> is {is}. {text.fillIn}
        </p>
      ))}
    </>
  )
}

function MessageToCopy({ bridge, exits }: { bridge: Bridge; exits: ExitsSwitch }) {
  const text = useContent().personalPage.bridges
  const id = `${bridge.id}-${exits}`
  return (
    <div {...shownWith(bridge, exits)}>
      <pre className="bridge-message" translate="no">
        <code id={`message-${id}`}>
          {splitAtPlaces(messageFor(bridge, { exits }) ?? '').map(place)}
        </code>
      </pre>
      <p className="with-script">
        <button className="button outlined" type="button" id={`copy-${id}`}>
          {text.copy}
        </button>
      </p>
      <output id={`copy-${id}-result`} className="copy-result" />
      <p className="box-does" id={`does-${id}`}>
        {boxInWords(bridge, { exits }, false)}
      </p>
    </div>
  )
}

function place(piece: string, index: number) {
  return index % 2 === 0 ? piece : <b key={index}>{piece}</b>
}
