import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { bundleInMemory } from '#build/bundle-in-memory.ts'
import { landingPage } from '#content/pages/landing-page.ts'
import { landingSheets, styleFor, styleWithoutScript } from '#pages/styles/style-for.ts'

export interface ClientRenderedBundle {
  html: string
  stylePath: string
  style: string
  scriptPath: string
  script: string
}

interface Values {
  functionsUrl: string
  anonKey: string
  supportEmail: string
  resendAfterSeconds: string
}

/** The module that the browser starts with, and the plugins that find its packages. */
export interface Entry {
  input: string
  plugins?: Plugin[]
  /** Packages that must be in it once, wherever they are imported from. */
  dedupe?: string[]
}

export const plainEntry: Entry = { input: join(import.meta.dirname, 'main.tsx') }

/** A client-rendered React + Vite build of the landing page, from the same components: empty page, style sheet and script as files. */
export async function bundleClientRendered(
  root: string,
  font: string,
  values: Values,
  { input, plugins = [], dedupe = [] }: Entry,
): Promise<ClientRenderedBundle> {
  const before = process.env['NODE_ENV']
  process.env['NODE_ENV'] = 'production' // React without its development checks
  const [entry, ...others] = await bundleInMemory({
    root,
    configFile: false,
    plugins: [react(), everythingLive(root), ...plugins],
    resolve: { dedupe },
    publicDir: false,
    build: {
      target: 'es2022',
      rolldownOptions: { input, output: { codeSplitting: false } },
    },
  })
  if (before === undefined) delete process.env['NODE_ENV']
  else process.env['NODE_ENV'] = before
  if (others.length > 0) throw new Error(`One file was expected, not ${others[0]?.fileName} as well`)
  const scriptPath = `/${entry.fileName}`
  const stylePath = '/assets/page.css'
  return {
    scriptPath,
    stylePath,
    script: entry.code,
    style: styleFor(landingSheets, font) + styleWithoutScript,
    html: emptyPage(scriptPath, stylePath, values),
  }
}

function everythingLive(root: string): Plugin {
  return {
    name: 'everything-live',
    enforce: 'pre',
    resolveId: (name) =>
      name.endsWith('/static-part.tsx') ? join(import.meta.dirname, 'live-part.tsx') : undefined,
    load(id) {
      if (!id.endsWith('/given-files.ts')) return undefined
      // In the build it reads the file; a browser has none.
      const script = readFileSync(join(root, 'app/kit/ema-crossover.pine'), 'utf8')
      return `export const givenScript = () => ${JSON.stringify(script)}`
    },
  }
}

function emptyPage(script: string, style: string, values: Values): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${landingPage.title}</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${style}"><script type="module" src="${script}"></script></head>
<body data-functions-url="${values.functionsUrl}" data-anon-key="${values.anonKey}" data-support-email="${values.supportEmail}" data-resend-after-seconds="${values.resendAfterSeconds}">
<div id="app" data-page="landing"></div></body></html>`
}
