import type { Content } from '#content/content.ts'
import type { SiteContent } from '#site/site-content.ts'
import { isOffered, type Offer } from '#content/offer.ts'
import { guideAsHtml } from '#site/guide/guide-html.ts'
import type { KitFile } from '#site/kit/kit-files.ts'
import { fill } from '#site/text/fill.ts'
import { Filled } from '#site/text/filled.tsx'
import { placeholder } from '#site/text/placeholders.ts'
import { useContent } from '#site/text/use-content.ts'
import { Masthead, SmallFooter } from '#site/pages/frame/frame.tsx'
import '#site/pages/frame/small-page.css'
import { Address } from '#site/pages/ui/address.tsx'
import { TextLink } from '#site/pages/ui/button.tsx'
import { EndButton } from '#site/pages/ui/end-button.tsx'
import { TickedSquare } from '#site/pages/ui/glyphs.tsx'
import './personal-page.css' // after the buttons: an outlined one is a button first
import { AlertSection } from './alert/alert-section.tsx'
import { type AlertWords, alertWords } from './alert/alert-words.ts'
import { BridgeSection } from './bridge-section.tsx'
import { KitSection } from './kit-section.tsx'
import { ScriptSection } from './script-section.tsx'
import './guide.css'
import './what-changed.css' // for the part that the server puts in: what-changed.tsx

type Files = readonly KitFile[]

/** The values for the code of the page: app/site/pages/browser/personal-page.ts. */
export interface PersonalPageWords {
  readonly news: Pick<NewsWords, 'agreed' | 'on' | 'textWhenOn'>
  readonly script: Pick<ScriptWords, 'copied' | 'copiedName' | 'refused' | 'sendSubject'> &
    Partial<Pick<ScriptWords, 'triedLengths'>>
  /** The words of the bridges. Another script than ours has none, and no lengths to set. */
  readonly bridges?: Pick<
    BridgeWords,
    'symbolIfEmpty' | 'sizeIsWrong' | 'directions' | 'copied' | 'refused'
  >
  readonly alert: AlertWords
}

type NewsWords = Content['whatChanged']['announcements']
type ScriptWords = Content['personalPage']['script']
type BridgeWords = Content['personalPage']['bridges']

export function personalPageWords(content: SiteContent): PersonalPageWords {
  const { ourRun, personalPage, whatChanged } = content
  const { agreed, on, textWhenOn } = whatChanged.announcements
  const { copied, copiedName, refused, sendSubject, triedLengths } = personalPage.script
  const { symbolIfEmpty, sizeIsWrong, directions, ...bridges } = personalPage.bridges
  const news = { agreed, on, textWhenOn }
  const script = { copied, copiedName, refused, sendSubject }
  const alert = alertWords(content)
  if (!ourRun) return { news, script, alert }
  return {
    news,
    alert,
    script: { ...script, triedLengths },
    bridges: {
      symbolIfEmpty,
      sizeIsWrong,
      directions,
      copied: bridges.copied,
      refused: bridges.refused,
    },
  }
}

interface PersonalPageProps {
  address: string
  token: string
  files: Files
  /** The text of the script that is given away. */
  script: string
}

/** The page behind the link in the mail. It never expires. */
export function PersonalPage({ address, token, files, script }: PersonalPageProps) {
  const content = useContent()
  const { hasGuideTexts, offer, ourRun, personalPage } = content
  const { heading, text, share } = personalPage
  const sections = otherSections(content)
  const version = files[0]?.version ?? ''
  return (
    <>
      <Masthead />
      <main className="kit-page">
        <div className="kit-head">
          <h1 className="page-title">{heading}</h1>
          <p className="page-lede soft">
            <Filled text={text} address={<Address>{address}</Address>} />
          </p>
          <p className="soft">
            <Filled text={share} site={<Address>{placeholder('site')}</Address>} />
          </p>
        </div>
        <ScriptSection script={script} version={version} token={token} sections={sections} />
        <FilesSection files={files} token={token} />
        {hasGuideTexts && <GuideSection script={script} />}
        {ourRun && <BridgeSection />}
        <AlertSection />
        {placeholder('whatChanged')}
        {isOffered(offer) && <OfferSection {...offer} />}
        <AddressSection address={address} token={token} />
        <template id="tick">
          <TickedSquare />
        </template>
      </main>
      <SmallFooter />
    </>
  )
}

/** The sections below the script, for the list of them. */
function otherSections(content: SiteContent) {
  const { hasGuideTexts, offer, ourRun, personalPage, setupGuide, whatChanged } = content
  const { files, guide, bridges, address } = personalPage
  return [
    { id: 'files', heading: files.heading },
    ...(hasGuideTexts ? [{ id: 'guide', heading: guide.heading, minute: setupGuide.done }] : []),
    ...(ourRun ? [{ id: 'bridge', heading: bridges.heading }] : []),
    { id: 'alert', heading: content.firstAlert.heading },
    { id: 'what-changed', heading: whatChanged.headingOfNews },
    ...(isOffered(offer) ? [{ id: 'offer', heading: offer.title }] : []),
    { id: 'address', heading: address.heading },
  ]
}

function FilesSection({ files, token }: { files: Files; token: string }) {
  const { heading, script, guide, version, checksums, checksum } = useContent().personalPage.files
  return (
    <KitSection id="files" heading={heading}>
      <ul className="kit-files ruled">
        {files.map((file) => (
          <li key={file.name}>
            <p className="mono">
              <code translate="no">{file.name}</code>
              <span className="soft">
                {sizeInWords(file.contents.length)} · {fill(version, { version: file.version })}
              </span>
            </p>
            <a className="text-link" href={`/kit/${token}/${file.name}`} download>
              {file.kind === 'guide' ? guide : script}
            </a>
          </li>
        ))}
      </ul>
      <details>
        <summary>{checksums}</summary>
        <dl className="checksums mono">
          {files.map(({ name, sha256 }) => (
            <div key={name}>
              <dt className="soft">{fill(checksum, { file: name })}</dt>
              <dd translate="no">{sha256}</dd>
            </div>
          ))}
        </dl>
      </details>
    </KitSection>
  )
}

/** The guide has the same source as the PDF. */
function GuideSection({ script }: { script: string }) {
  const content = useContent()
  const { heading, text } = content.personalPage.guide
  return (
    <KitSection id="guide" heading={heading} lead={<p className="soft">{text}</p>}>
      <div className="guide" dangerouslySetInnerHTML={{ __html: guideAsHtml(content, script) }} />
    </KitSection>
  )
}

function OfferSection({ label, title, text, linkText, url }: Offer) {
  return (
    <KitSection id="offer" heading={title} lead={<p className="soft">{label}</p>}>
      <p>{text}</p>
      <p>
        <TextLink words={linkText} href={url} />
      </p>
    </KitSection>
  )
}

function AddressSection({ address, token }: { address: string; token: string }) {
  const { heading, erase } = useContent().personalPage.address
  return (
    <KitSection
      id="address"
      heading={heading}
      lead={
        <p className="soft">
          <Address>{address}</Address>
        </p>
      }
    >
      {placeholder('leaving')}
      <details className="erase">
        <summary>{erase.summary}</summary>
        <p>{erase.text}</p>
        <form method="post" action={`/kit/${token}/erase`}>
          <EndButton>{erase.button}</EndButton>
        </form>
      </details>
    </KitSection>
  )
}

/** On the list or not, and how that can be changed. The server puts in the part of one. */
export const leavingStates = ['listed', 'left', 'blocked'] as const

export function Leaving({ state }: { state: (typeof leavingStates)[number] }) {
  const { personalPage, resultPages } = useContent()
  const text = personalPage.address
  const url = `/kit/${placeholder('token')}`
  if (state === 'listed') {
    return (
      <>
        <p>
          <TextLink words={text.unsubscribe} href={`${url}/unsubscribe`} />
        </p>
        <p className="soft">{text.unsubscribeText}</p>
      </>
    )
  }
  if (state === 'blocked') {
    return (
      <form method="post" action={`${url}/unblock`}>
        <p>{resultPages.blocked.heading}</p>
        <button className="text-button" type="submit">
          {resultPages.blocked.button}
        </button>
      </form>
    )
  }
  return (
    <form method="post" action={`${url}/return#address`}>
      <p>{text.left}</p>
      <button className="text-button" type="submit">
        {text.putBack}
      </button>
      <p className="soft">{text.putBackText}</p>
    </form>
  )
}

function sizeInWords(bytes: number): string {
  return bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(1)} kB`
}
