import { createContext, use } from 'react'
import type { SiteContent } from '#site/site-content.ts'

/** Around each document: the words that it is rendered with. */
export const ContentContext = createContext<SiteContent | undefined>(undefined)

/** For documents that are rendered to bytes. The browser's code gets its words by the page. */
export function useContent(): SiteContent {
  const content = use(ContentContext)
  if (!content) throw new Error('A document is rendered without content')
  return content
}
