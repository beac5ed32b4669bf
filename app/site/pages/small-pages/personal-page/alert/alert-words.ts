import type { Content } from '#content/content.ts'
import type { AlertMessage } from '#content/kit.ts'
import type { SiteContent } from '#site/site-content.ts'

/** The values for the code of "What did TradingView send?": app/site/pages/browser/alert/. */
export interface AlertWords extends Pick<
  Content['firstAlert']['test'],
  'seen' | 'yes' | 'notYet' | 'done' | 'fromTradingView' | 'fromElsewhere'
> {
  readonly nothingWrong: string
  readonly copy: { readonly copied: string; readonly copiedName: string; readonly refused: string }
  readonly reminder: Pick<Content['firstAlert']['reminder'], 'wrong' | 'saved' | 'title' | 'entry'>
  /** The messages of the owner's script. Those of ours come with the page's code. */
  readonly messages?: readonly AlertMessage[]
}

export function alertWords({ firstAlert, kit, ourRun, personalPage }: SiteContent): AlertWords {
  const { seen, yes, notYet, done, fromTradingView, fromElsewhere } = firstAlert.test
  const { copied, refused } = firstAlert.test
  const { wrong, saved, title, entry } = firstAlert.reminder
  return {
    seen,
    yes,
    notYet,
    done,
    fromTradingView,
    fromElsewhere,
    nothingWrong: firstAlert.nothingWrong,
    copy: { copied, refused, copiedName: personalPage.script.copiedName },
    reminder: { wrong, saved, title, entry },
    ...(!ourRun && { messages: kit.messages }),
  }
}
