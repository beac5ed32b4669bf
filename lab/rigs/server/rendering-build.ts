import { hash } from 'node:crypto'
import { serialize } from 'node:v8'
import { createSiteWork } from '#site/site-work.tsx'
import type { Drawings } from '#site/source.ts'
import type { SiteWork } from '#site/thread-messages.ts'
import type { Renderer } from '#server/site/renderer-client.ts'
import { addRenderer, makeStubBuild } from './stub-pages.ts'

interface RenderingBuild {
  folder: string
  renderer: Renderer
}

let made: RenderingBuild | undefined

/**
 * A stub build with the real renderer, but without its thread: Node runs no .tsx outside a build.
 * All tests of a process share it, because its tools take five seconds of a core to load.
 */
export function renderingBuild(): RenderingBuild {
  made ??= makeRenderingBuild()
  return made
}

function makeRenderingBuild(): RenderingBuild {
  const { folder } = makeStubBuild()
  addRenderer(folder)
  const work = createSiteWork(folder)
  return {
    folder,
    renderer: {
      readFiles: async (...values) => structuredClone(await work.readFiles(...values)),
      render: async (...values) => structuredClone(await work.render(...values)),
      renderNotes: work.renderNotes,
      draw: drawnOnce(work.draw),
      drawOne: work.drawOne,
      warm: async () => {},
      close: async () => {},
    },
  }
}

/** Draws each source once: many tests publish the same. */
function drawnOnce(draw: SiteWork['draw']): SiteWork['draw'] {
  const drawn = new Map<string, Promise<Drawings>>()
  return (source, before) => {
    const key = hash('sha256', serialize([source, before?.drawnFrom]))
    const files = drawn.get(key) ?? draw(source, before)
    drawn.set(key, files)
    return files
  }
}
