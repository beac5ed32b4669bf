import { Filled } from '#site/text/filled.tsx'
import { placeholder } from '#site/text/placeholders.ts'
import { useContent } from '#site/text/use-content.ts'
import { SmallPage } from '../frame/small-page.tsx'
import { Address } from '../ui/address.tsx'

/** The notice that comes with the product. The server fills in what the settings in force say. */
export function PrivacyPage() {
  const { brand, personalPage, privacy, starterEmail } = useContent()
  const { heading, text, sections } = privacy
  const ofSettings = {
    mailService: placeholder('mailService'),
    others: placeholder('others'),
    traces: placeholder('traces'),
    site: placeholder('site'),
    support: (
      <a href={`mailto:${placeholder('supportEmail')}`}>
        <Address>{placeholder('supportEmail')}</Address>
      </a>
    ),
  }
  const ofTexts = {
    owner: brand.creatorName,
    postalAddress: brand.postalAddress,
    unsubscribe: starterEmail.unsubscribe,
    notAsked: starterEmail.notAskedLink,
    erase: personalPage.address.erase.summary,
  }
  return (
    <SmallPage heading={heading} text={text}>
      {sections.map((section) => (
        <section key={section.heading}>
          <h2>{section.heading}</h2>
          <p>
            <Filled text={section.text} {...ofTexts} {...ofSettings} />
          </p>
        </section>
      ))}
    </SmallPage>
  )
}
