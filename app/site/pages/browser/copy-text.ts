import { element, elementOf, make } from './page-elements.ts'

interface CopyWords {
  /** Said below the button. */
  copied: string
  /** Goes into the name of the button. */
  copiedName: string
  /** Said if the browser does not allow it: the text is selected then. */
  refused: string
}

/** The element with the id `${buttonId}-result` says what became of it. */
export function copyOnPress(
  buttonId: string,
  source: HTMLElement,
  words: CopyWords,
  then = () => {},
): void {
  const button = element(buttonId)
  const name = button.textContent
  button.addEventListener('click', async () => {
    const isCopied = await writeToClipboard(source.textContent)
    const result = element(`${buttonId}-result`)
    if (!isCopied) {
      getSelection()?.selectAllChildren(source)
      result.replaceChildren(make('p', words.refused))
      return
    }
    then()
    // The visible name stays, so that nothing moves.
    button.setAttribute('aria-label', `${name}: ${words.copiedName}`)
    result.replaceChildren(tick(), make('p', words.copied))
  })
}

/** A copy of the ticked square, which stands in the page once, as a template. */
function tick(): Node {
  return elementOf('tick', HTMLTemplateElement).content.cloneNode(true)
}

/** Takes the result back: the page shows another text now. */
export function forgetCopy(buttonId: string): void {
  element(buttonId).removeAttribute('aria-label')
  element(`${buttonId}-result`).replaceChildren()
}

/** False if the browser refuses, or if the page came over plain HTTP. */
async function writeToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
