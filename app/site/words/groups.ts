/** One heading of the desk's view, and the texts below it. */
interface GroupPlan {
  readonly id: string
  readonly label: string
  readonly parts: readonly PartPlan[]
}

interface PartPlan {
  readonly label: string
  /** Beginnings of paths. A text is in the part with the longest one that its path begins with. */
  readonly prefixes: readonly string[]
}

/** The texts as they stand: name, the page from top to bottom, and what follows a sign-up. */
export const groupPlans: readonly GroupPlan[] = [
  {
    id: 'name',
    label: 'Name and signature',
    parts: [
      {
        label: 'Name',
        prefixes: ['brand'],
      },
      {
        label: 'Links at the foot',
        prefixes: ['brand.privacyUrl', 'brand.imprintUrl', 'landingPage.legalLinks'],
      },
    ],
  },
  { id: 'kit', label: 'Script', parts: [{ label: 'Script', prefixes: ['kit'] }] },
  {
    id: 'page',
    label: 'The page',
    parts: [
      { label: 'Search and shared links', prefixes: ['landingPage'] },
      { label: 'Top', prefixes: ['landingPage.hero'] },
      { label: 'Chart', prefixes: ['landingPage.chart', 'landingPage.tryLengths'] },
      { label: "What's Included", prefixes: ['landingPage.whatsIncluded'] },
      { label: 'How It Works', prefixes: ['landingPage.howItWorks'] },
      { label: 'Note', prefixes: ['landingPage.creatorNote'] },
      { label: 'Dark end', prefixes: ['landingPage.closingCall'] },
      { label: 'Foot', prefixes: ['landingPage.footer', 'landingPage.shortRisk'] },
    ],
  },
  {
    id: 'form',
    label: 'Form and notes',
    parts: [
      { label: 'Form', prefixes: ['signUp'] },
      { label: 'Messages', prefixes: ['signUp.toasts'] },
      { label: 'After a sign-up', prefixes: ['note'] },
    ],
  },
  {
    id: 'mail',
    label: 'Mail',
    parts: [
      { label: 'The mail with the kit', prefixes: ['starterEmail'] },
      { label: 'A new version', prefixes: ['announcement'] },
      { label: 'A letter', prefixes: ['letter'] },
    ],
  },
  {
    id: 'guide',
    label: 'Guide',
    parts: [
      { label: 'Cover and headings', prefixes: ['setupGuide'] },
      { label: 'Steps', prefixes: ['setupGuide.steps'] },
      { label: 'After the steps', prefixes: ['setupGuide.paper'] },
      {
        label: 'Last pages',
        prefixes: ['setupGuide.inputs', 'setupGuide.versions', 'setupGuide.risk'],
      },
    ],
  },
  {
    id: 'personal-page',
    label: 'Personal page',
    parts: [
      { label: 'Top', prefixes: ['personalPage'] },
      { label: 'Script', prefixes: ['personalPage.script'] },
      { label: 'Files', prefixes: ['personalPage.files'] },
      { label: 'Bridges', prefixes: ['personalPage.bridges'] },
      { label: 'Guide', prefixes: ['personalPage.guide'] },
      { label: 'What changed and news', prefixes: ['whatChanged'] },
      { label: 'Address', prefixes: ['personalPage.address'] },
    ],
  },
  {
    id: 'small-pages',
    label: 'Small pages',
    parts: [
      { label: 'Not found', prefixes: ['notFound'] },
      { label: 'Opens soon', prefixes: ['resultPages.opensSoon'] },
      {
        label: 'Sign-up without JavaScript',
        prefixes: [
          'resultPages.sent',
          'resultPages.alreadyOnList',
          'resultPages.invalid',
          'resultPages.error',
        ],
      },
      { label: 'Leaving', prefixes: ['resultPages'] },
      { label: 'Privacy notice', prefixes: ['privacy'] },
    ],
  },
  { id: 'offer', label: 'Offer', parts: [{ label: 'Offer', prefixes: ['offer'] }] },
  { id: 'versions', label: 'Versions', parts: [{ label: 'Versions', prefixes: ['releases'] }] },
  {
    id: 'colours',
    label: 'Pictures and colours',
    parts: [
      { label: 'Light', prefixes: ['palette.light'] },
      { label: 'Dark', prefixes: ['palette.dark'] },
      { label: 'Dark band', prefixes: ['palette.closingBand'] },
    ],
  },
]
