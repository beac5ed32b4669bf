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
  import('./hydrate-page.tsx').then(
    ({ hydratePage }) => hydratePage(),
    (error: unknown) => console.error('The page goes on without its script.', error),
  )
}

for (const sign of signs) addEventListener(sign, start, { passive: true })
// Safari has no requestIdleCallback.
const whenIdle = globalThis.requestIdleCallback ?? ((call: () => void) => setTimeout(call, 200))
if (document.readyState === 'complete') whenIdle(start)
else addEventListener('load', () => whenIdle(start), { once: true })
