/**
 * The page works before this: a press posts the plain form. React comes when the browser has nothing better to do,
 * or at once when somebody reaches for the page.
 */
const signs = ['pointerdown', 'keydown', 'focusin'] as const
let started = false

function start() {
  if (started) return
  started = true
  for (const sign of signs) removeEventListener(sign, start)
  // React is named too, so that both files come at once, and each is read in by itself.
  Promise.all([import('./hydrate-page.tsx'), import('react-dom/client'), parsed()]).then(
    // In a task of its own: reading React in was a long one already, and a press may be waiting.
    ([{ hydratePage }]) => void setTimeout(hydratePage),
    (error: unknown) => console.error('The page goes on without its script.', error),
  )
}

/** Who reaches for the page early may do so before its end has come. */
function parsed() {
  if (document.readyState !== 'loading') return undefined
  return new Promise((resolve) => {
    addEventListener('DOMContentLoaded', resolve, { once: true })
  })
}

for (const sign of signs) addEventListener(sign, start, { passive: true })
if (document.readyState === 'complete') startWhenIdle()
else addEventListener('load', startWhenIdle, { once: true })

/** Safari has no requestIdleCallback; some browsers are never idle, hence the timeout. */
function startWhenIdle() {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(start, { timeout: 2000 })
  else setTimeout(start, 200)
}
