import type { Page } from 'playwright-core'

/**
 * Translates a page, and those that it loads later, as Google Translate does: each text is replaced
 * by one inside nested `<font>` elements, also those that come later. The words stay, so that tests
 * can find them.
 */
export async function translate(page: Page): Promise<void> {
  await page.addInitScript(translateDocument)
  await page.evaluate(translateDocument)
}

/** In the page. */
function translateDocument(): void {
  const ours = new WeakSet<Node>()
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start)
  else start()

  function start(): void {
    translateBelow(document.body)
    new MutationObserver((changes) => {
      for (const { addedNodes, target, type } of changes) {
        if (type === 'characterData') ours.delete(target)
        for (const node of type === 'characterData' ? [target] : addedNodes) translateBelow(node)
      }
    }).observe(document.body, { childList: true, characterData: true, subtree: true })
  }

  function translateBelow(node: Node): void {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
    const texts = [node]
    while (walker.nextNode()) texts.push(walker.currentNode)
    for (const text of texts) if (text.nodeType === Node.TEXT_NODE) replaceText(text)
  }

  function replaceText(text: Node): void {
    const leftAlone = '[translate=no], script, style, noscript, textarea, svg'
    if (ours.has(text) || !text.nodeValue?.trim() || text.parentElement?.closest(leftAlone)) return
    const translated = document.createTextNode(text.nodeValue)
    ours.add(translated)
    const inner = document.createElement('font')
    const outer = document.createElement('font')
    inner.append(translated)
    outer.append(inner)
    text.parentNode?.replaceChild(outer, text)
  }
}
