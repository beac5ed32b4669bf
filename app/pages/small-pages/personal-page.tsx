import { kit } from '#content/kit.ts'
import { personalPage } from '#content/pages/personal-page.ts'
import { guideAsHtml } from '#kit/guide/guide-html.ts'
import type { KitFile } from '#kit/kit-files.ts'
import { SmallPage } from '../frame/frame.tsx'
import { LinkButton, SubmitButton } from '../ui/button.tsx'

interface PersonalPageProps {
  address: string
  token: string
  files: readonly KitFile[]
}

/** The page behind the link in the mail. It never expires. */
export function PersonalPage({ address, token, files }: PersonalPageProps) {
  const text = personalPage
  return (
    <SmallPage tag={text.tag} heading={text.heading} text={text.text.join(address)}>
      <section aria-labelledby="files">
        <h2 id="files">{text.filesHeading}</h2>
        <ul className="kit-files">
          {files.map((file) => (
            <KitFileRow key={file.name} file={file} token={token} />
          ))}
        </ul>
      </section>
      {!kit.guide.isYourOwn && (
        <section className="guide" aria-labelledby="guide">
          <h2 id="guide">{text.guideHeading}</h2>
          <div dangerouslySetInnerHTML={{ __html: guide() }} />
        </section>
      )}
      <section aria-labelledby="your-address">
        <h2 id="your-address">{text.listHeading}</h2>
        <p>
          <a className="text-link" href={`/kit/${token}/unsubscribe`}>
            {text.unsubscribe}
          </a>
        </p>
        <p className="soft">{text.unsubscribeText}</p>
        <details className="erase">
          <summary>{text.erase.summary}</summary>
          <p>{text.erase.text}</p>
          <form method="post" action={`/kit/${token}/erase`}>
            <SubmitButton>{text.erase.button}</SubmitButton>
          </form>
        </details>
      </section>
    </SmallPage>
  )
}

/** From the same source as the PDF. It quotes double braces for the visitor to type: the server must not fill them. */
function guide(): string {
  return guideAsHtml().replaceAll('{{', '&#123;&#123;')
}

function KitFileRow({ file, token }: { file: KitFile; token: string }) {
  const { files, version, size, checksum } = personalPage
  const words = file.mediaType === 'application/pdf' ? files.guide : files.script
  return (
    <li>
      <div>
        <h3>
          <code>{file.savedAs}</code>
        </h3>
        <p className="soft">{words.what}</p>
      </div>
      <LinkButton href={`/kit/${token}/${file.name}`} download>
        {words.button}
      </LinkButton>
      <dl>
        <dt>{version}</dt>
        <dd>{file.version}</dd>
        <dt>{size}</dt>
        <dd>{sizeInWords(file.bytes)}</dd>
        <dt>{checksum}</dt>
        <dd className="checksum">{file.sha256}</dd>
      </dl>
    </li>
  )
}

function sizeInWords(bytes: number): string {
  return bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(1)} kB`
}
