import { CommandError } from '#owner/acts/errors.ts'
import { completeAddress } from './complete-address.ts'
import { parseMarkdown } from './markdown.ts'

/** Throws a CommandError that names the first link of a letter that leads nowhere. */
export function checkLinks(markdown: string): void {
  for (const { words, address } of linksIn(markdown)) {
    if (completeAddress(address) === undefined) {
      const shown = address === '' ? 'has no address' : `leads to “${address}”`
      throw new CommandError(
        `The link “${words}” ${shown}. Write an address such as https://example.com.`,
      )
    }
  }
}

interface Link {
  words: string
  address: string
}

function linksIn(markdown: string): Link[] {
  const links: Link[] = []
  for (const { children } of parseMarkdown(markdown)) {
    for (const [index, token] of (children ?? []).entries()) {
      if (token.type === 'text') links.push(...unreadLinks(token.content))
      if (token.type !== 'link_open') continue
      const words = children![index + 1]?.content ?? ''
      links.push({ words, address: String(token.attrGet('href')) })
    }
  }
  return links
}

/** Written as links, and none to Markdown: with a space in the address, or one that it refuses. */
function unreadLinks(text: string): Link[] {
  return [...text.matchAll(/\[([^\]]+)\]\(([^)]*)\)/g)].map(([, words = '', address = '']) => ({
    words,
    address,
  }))
}
