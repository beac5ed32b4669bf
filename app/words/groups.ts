/** One heading of the desk's view, and the places whose texts stand under it. */
interface GroupPlan {
  readonly id: string
  readonly label: string
  readonly parts: readonly PartPlan[]
}

interface PartPlan {
  readonly label: string
  /** A text is in the part with the longest of these that begins its path. */
  readonly places: readonly string[]
}

/** The texts as they stand: name, the page from top to bottom, and what follows a sign-up. */
export const groupPlans: readonly GroupPlan[] = [
  {
    id: 'name',
    label: 'Name and signature',
    parts: [
      {
        label: 'Name',
        places: ['brand'],
      },
      {
        label: 'Links at the foot',
        places: ['brand.privacyUrl', 'brand.imprintUrl', 'landingPage.legalLinks'],
      },
    ],
  },
  {
    id: 'page',
    label: 'The page',
    parts: [
      { label: 'Search and shared links', places: ['landingPage'] },
      { label: 'Top', places: ['landingPage.hero'] },
      { label: 'Chart', places: ['landingPage.chart'] },
      { label: "What's Included", places: ['landingPage.whatsIncluded'] },
      { label: 'How It Works', places: ['landingPage.howItWorks'] },
      { label: 'Note', places: ['landingPage.creatorNote'] },
      { label: 'Dark end', places: ['landingPage.closingCall'] },
      { label: 'Foot', places: ['landingPage.footer', 'landingPage.shortRisk'] },
    ],
  },
  {
    id: 'form',
    label: 'Form and notes',
    parts: [
      { label: 'Form', places: ['signUp'] },
      { label: 'Messages', places: ['signUp.toasts'] },
      { label: 'After a sign-up', places: ['note'] },
    ],
  },
  {
    id: 'mail',
    label: 'Mail',
    parts: [
      { label: 'The mail with the kit', places: ['starterEmail'] },
      { label: 'A new version', places: ['announcement'] },
      { label: 'A letter', places: ['letter'] },
      { label: 'The series', places: ['series'] },
    ],
  },
  {
    id: 'guide',
    label: 'Guide',
    parts: [
      { label: 'Cover and headings', places: ['setupGuide'] },
      { label: 'Steps', places: ['setupGuide.steps'] },
      { label: 'After the steps', places: ['setupGuide.paper'] },
      {
        label: 'Last pages',
        places: ['setupGuide.inputs', 'setupGuide.versions', 'setupGuide.risk'],
      },
    ],
  },
  {
    id: 'personal-page',
    label: 'Personal page',
    parts: [
      { label: 'Top', places: ['personalPage'] },
      { label: 'Script', places: ['personalPage.script'] },
      { label: 'Files', places: ['personalPage.files'] },
      { label: 'Bridges', places: ['personalPage.bridges'] },
      { label: 'Guide', places: ['personalPage.guide'] },
      { label: 'What changed and news', places: ['whatChanged'] },
      { label: 'Address', places: ['personalPage.address'] },
    ],
  },
  {
    id: 'small-pages',
    label: 'Small pages',
    parts: [
      { label: 'Not found', places: ['notFound'] },
      { label: 'Opens soon', places: ['resultPages.opensSoon'] },
      {
        label: 'Sign-up without JavaScript',
        places: [
          'resultPages.sent',
          'resultPages.alreadyOnList',
          'resultPages.invalid',
          'resultPages.error',
        ],
      },
      { label: 'Leaving', places: ['resultPages'] },
    ],
  },
  { id: 'offer', label: 'Offer', parts: [{ label: 'Offer', places: ['offer'] }] },
  { id: 'versions', label: 'Versions', parts: [{ label: 'Versions', places: ['releases'] }] },
  {
    id: 'colours',
    label: 'Pictures and colours',
    parts: [
      { label: 'Light', places: ['palette.light'] },
      { label: 'Dark', places: ['palette.dark'] },
      { label: 'Dark band', places: ['palette.closingBand'] },
    ],
  },
]
