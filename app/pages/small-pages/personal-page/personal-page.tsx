import { kit } from '#content/kit.ts'
import { type Offer, offer } from '#content/offer.ts'
import { personalPage } from '#content/pages/personal-page.ts'
import { whatChanged } from '#content/releases.ts'
import { setupGuide } from '#content/setup-guide.ts'
import { guideAsHtml } from '#kit/guide/guide-html.ts'
import type { KitFile } from '#kit/kit-files.ts'
import { Masthead, PriceLine, SmallFooter } from '../../frame/frame.tsx'
import { SubmitButton, TextLink } from '../../ui/button.tsx'
import { TickedSquare } from '../../ui/glyphs.tsx'
import { BridgeSection } from './bridge-section.tsx'
import { KitSection } from './kit-section.tsx'
import { ScriptSection } from './script-section.tsx'

type Files = readonly KitFile[]

/** The page behind the link in the mail. It never expires. */
export function PersonalPage({
  address,
  token,
  files,
}: {
  address: string
  token: string
  files: Files
}) {
  const { tag, heading, text, guide, bridges } = personalPage
  const isOurs = !kit.script.isYourOwn
  const sections = [
    { id: 'files', heading: personalPage.files.heading },
    ...(kit.guide.isYourOwn
      ? []
      : [{ id: 'guide', heading: guide.heading, minute: setupGuide.done }]),
    { id: 'what-changed', heading: whatChanged.heading },
    ...(offer ? [{ id: 'offer', heading: offer.title }] : []),
    ...(isOurs ? [{ id: 'bridge', heading: bridges.heading }] : []),
    { id: 'address', heading: personalPage.address.heading },
  ]
  const version = files[0]?.version ?? ''
  return (
    <>
      <Masthead />
      <main className="kit-page">
        <PriceLine tag={tag} />
        <div className="kit-head">
          <h1>{heading}</h1>
          <p className="soft">{text.join(address)}</p>
        </div>
        <ScriptSection version={version} token={token} sections={sections} />
        <FilesSection files={files} token={token} />
        {!kit.guide.isYourOwn && <GuideSection />}
        {'{{whatChanged}}'}
        {offer && <OfferSection {...offer} />}
        {isOurs && <BridgeSection />}
        <AddressSection address={address} token={token} />
        <template id="tick">
          <TickedSquare />
        </template>
      </main>
      <SmallFooter />
    </>
  )
}

function FilesSection({ files, token }: { files: Files; token: string }) {
  const { heading, script, guide, version, checksums, checksum } = personalPage.files
  return (
    <KitSection id="files" heading={heading}>
      <ul className="kit-files ruled">
        {files.map((file) => (
          <li key={file.name}>
            <p className="mono">
              <code>{file.savedAs}</code>
              <span className="soft">
                {sizeInWords(file.bytes)} · {version} {file.version}
              </span>
            </p>
            <a className="text-link" href={`/kit/${token}/${file.name}`} download>
              {file.mediaType === 'application/pdf' ? guide : script}
            </a>
          </li>
        ))}
      </ul>
      <details>
        <summary>{checksums}</summary>
        <dl className="checksums mono">
          {files.map(({ name, savedAs, sha256 }) => (
            <div key={name}>
              <dt className="soft">
                {checksum} {savedAs}
              </dt>
              <dd>{sha256}</dd>
            </div>
          ))}
        </dl>
      </details>
    </KitSection>
  )
}

/** The guide has the same source as the PDF. */
function GuideSection() {
  const { heading, text } = personalPage.guide
  return (
    <KitSection id="guide" heading={heading} lead={<p className="soft">{text}</p>}>
      <div className="guide" dangerouslySetInnerHTML={{ __html: guideAsHtml() }} />
    </KitSection>
  )
}

function OfferSection({ title, text, linkText, url }: Offer) {
  return (
    <KitSection id="offer" heading={title}>
      <p>{text}</p>
      <p>
        <TextLink words={linkText} href={url} />
      </p>
    </KitSection>
  )
}

function AddressSection({ address, token }: { address: string; token: string }) {
  const { heading, unsubscribe, unsubscribeText, erase } = personalPage.address
  return (
    <KitSection id="address" heading={heading} lead={<p className="soft address">{address}</p>}>
      <p>
        <TextLink words={unsubscribe} href={`/kit/${token}/unsubscribe`} />
      </p>
      <p className="soft">{unsubscribeText}</p>
      <details className="erase">
        <summary>{erase.summary}</summary>
        <p>{erase.text}</p>
        <form method="post" action={`/kit/${token}/erase`}>
          <SubmitButton>{erase.button}</SubmitButton>
        </form>
      </details>
    </KitSection>
  )
}

function sizeInWords(bytes: number): string {
  return bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(1)} kB`
}
