/**
 * Inline at the end of every page: it finds all of it, and the first paint need not wait for it.
 * Nothing is fetched before that paint: then the font comes, and React when the browser is idle, or
 * at once when the visitor reaches for the page. Until then a press posts the plain form.
 */
const [page = '', react = ''] = document.currentScript?.dataset.modules?.split(' ') ?? []
const gestures = ['pointerdown', 'keydown', 'focusin'] as const
let started = false

for (const gesture of gestures) addEventListener(gesture, start, { passive: true })
new PerformanceObserver(afterFirstPaint).observe({ type: 'paint', buffered: true })

function afterFirstPaint(_: unknown, observer: PerformanceObserver) {
  observer.disconnect()
  // The class comes with the font, so that the page is laid out again only once. Without the font
  // its stand-in remains.
  document.fonts.load('1em Besley').then(
    () => document.documentElement.classList.add('besley'),
    () => {},
  )
  // Safari has no requestIdleCallback; some browsers are never idle, hence the timeout.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(start, { timeout: 2000 })
  else setTimeout(start, 200)
}

function start() {
  if (started || !page) return
  started = true
  for (const gesture of gestures) removeEventListener(gesture, start)
  // Every entry exports a function of this name.
  const entry: Promise<typeof import('./landing-page.tsx')> = import(/* @vite-ignore */ page)
  // React is named too, so that both files load at once and each is parsed in a separate task.
  Promise.all([entry, react && import(/* @vite-ignore */ react), layOutRest()]).then(
    // A separate task: parsing React took long, and a press may be waiting.
    ([{ startPage }]) => void setTimeout(startPage),
    (error: unknown) => console.error('The page works on without its script.', error),
  )
}

/**
 * While the files load, lays out what CSS left out of the first layout, each section in a separate
 * task.
 */
async function layOutRest() {
  for (const section of document.querySelectorAll<HTMLElement>('.later')) {
    section.style.contentVisibility = 'visible'
    section.getBoundingClientRect()
    await new Promise((resolve) => {
      setTimeout(resolve)
    })
  }
}
