import { landingPage } from './pages/landing-page.ts'
import { starterEmail } from './mail/starter-email.ts'
import { stepsWithOwnScript } from './setup-guide.ts'

/** Texts by the path of their field. */
type Texts = Readonly<Record<string, unknown>>

const trademarks =
  'TradingView and Pine Script are trademarks of TradingView, Inc., which has no part in this site.'

const [why, how, then] = landingPage.creatorNote.paragraphs
const [enter, get, start] = landingPage.howItWorks.steps
const [cost, phone, , , , address] = landingPage.howItWorks.questions
const [open, paste, , leave, alert] = starterEmail.steps

/** The defaults in the place of those that speak of what a file of the owner's own replaces. */
export const otherDefaults = {
  sharePicture: { 'landingPage.shareImageAlt': 'A picture of the {script} script.' },
  chart: {
    'landingPage.creatorNote.paragraphs': [why, how?.replace(/ The second trade .*/, ''), then],
    'landingPage.footer.trademarks': trademarks,
  },
  script: {
    'kit.script.name': '',
    'kit.rule': '',
    'kit.tryOn': 'the symbol that you trade, and choose the bars that you look at',
    'landingPage.description':
      'A free Pine Script strategy for TradingView, with a PDF setup guide. Both come by email. No card.',
    'landingPage.shareImageAlt': 'A price chart and the name of the script.',
    'landingPage.whatsIncluded.script.text':
      'The whole script in one file of {lines} lines. Nothing is locked: read it, change it, make it yours.',
    'landingPage.creatorNote.paragraphs': [
      'I give this script away so that you can take it apart. Every decision is in the file: read it before you run it.',
      'No rule wins in every market. Look at how this one loses before you look at how it wins.',
      'So treat it as a starting point. Let it run in a simulation, and change one input at a time. If a step in the guide is unclear, reply to the email and I will fix the page.',
    ],
    'landingPage.howItWorks.questions': [
      cost,
      phone,
      {
        question: 'Does it make money?',
        answer:
          'On its own, usually not. No rule earns in every market, and costs come on top. Simulate it first.',
      },
      address,
    ],
    'landingPage.footer.trademarks': trademarks,
    'starterEmail.steps': [
      open,
      paste,
      'Compare what you see with page 4 of the guide.',
      leave,
      alert,
    ],
    'setupGuide.steps': stepsWithOwnScript,
    'setupGuide.paper.limits': [
      'It knows nothing about your account. If an order fails at the broker, the script does not notice.',
      'It does not know how your broker fills an order. Live fills differ from those of a backtest.',
    ],
    'setupGuide.risk.trademarks':
      'TradingView and Pine Script are trademarks of TradingView, Inc., which has no part in this guide.',
  },
  guide: {
    'landingPage.hero.lede':
      'A free Pine Script strategy for TradingView. {rule} We email you the script and a setup guide. You need a computer and a free TradingView account.',
    'landingPage.whatsIncluded.guide.plate': 'PDF',
    'landingPage.whatsIncluded.guide.heading': 'A setup guide',
    'landingPage.whatsIncluded.guide.text':
      'How to set up the script, as a PDF to read or to print.',
    'landingPage.whatsIncluded.guide.pictureName': 'A page of the guide.',
    'landingPage.howItWorks.steps': [enter, get, { ...start, minute: 'after that' }],
    'starterEmail.preview': 'Two files, and how to start. The links don’t expire.',
    'starterEmail.guideDescription': 'The setup guide',
    'starterEmail.personalPage': 'Also on {yourPage}: checksums for both files.',
    'starterEmail.steps': [open, paste, 'Compare what you see with the guide.', leave, alert],
  },
} satisfies Record<string, Texts>
