import { createSiteWork } from '#renderer/site-work.tsx'
import type { Renderer } from '#server/site/renderer-client.ts'

/** The renderer without its thread: Node runs no .tsx outside a build. `dist`: as the build writes it. */
export function rendererHere(dist: string): Renderer {
  const work = createSiteWork(dist)
  return {
    render: async (...values) => structuredClone(await work.render(...values)),
    renderNotes: work.renderNotes,
    draw: work.draw,
    drawOne: work.drawOne,
    warm: async () => {},
    close: async () => {},
  }
}
