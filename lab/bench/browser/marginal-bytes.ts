import { dirname, relative, sep } from 'node:path'
import { build, type Plugin } from 'vite'
import { compress } from '#server/http/compress.ts'

export interface MarginalBytes {
  name: string
  /** Brotli bytes that the bundle would be smaller by without it. */
  bytes: number
}

/** Builds the browser's script once as it is and once without each dependency and each of our rooms. */
export async function weighMarginalBytes(root: string): Promise<{ total: number; groups: MarginalBytes[] }> {
  const whole = await weighBundle(root)
  const names = [...new Set(whole.modules.map((id) => groupOf(root, id)))].filter((name) => name !== '')
  const groups: MarginalBytes[] = []
  for (const name of names) {
    const without = await weighBundle(root, (id) => groupOf(root, id) === name)
    groups.push({ name, bytes: whole.bytes - without.bytes })
  }
  return { total: whole.bytes, groups: groups.toSorted((a, b) => b.bytes - a.bytes) }
}

async function weighBundle(root: string, isLeftOut: (id: string) => boolean = () => false) {
  const result = await build({
    root,
    logLevel: 'silent',
    plugins: [leaveOut(isLeftOut)],
    build: {
      write: false,
      rolldownOptions: {
        input: 'app/pages/browser/hydrate-page.tsx',
        preserveEntrySignatures: 'allow-extension',
        shimMissingExports: true,
      },
    },
  })
  if (Array.isArray(result) || !('output' in result)) throw new Error('One bundle was expected')
  const chunks = result.output.filter((output) => output.type === 'chunk')
  const sizes = chunks.map(
    async ({ code }) => (await compress(Buffer.from(code))).get('br')?.length ?? code.length,
  )
  return {
    bytes: (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0),
    modules: chunks.flatMap(({ moduleIds }) => moduleIds),
  }
}

/** Replaces each by an empty module, whose exports are undefined. */
function leaveOut(isLeftOut: (id: string) => boolean): Plugin {
  return {
    name: 'leave-out',
    enforce: 'pre',
    load: (id) =>
      isLeftOut(id) ? { code: 'export default undefined', moduleSideEffects: false } : undefined,
  }
}

/** A package, or one of our folders; React's packages work only together. Empty: the bundler's own, the entry, or the application that imports everything. */
function groupOf(root: string, id: string): string {
  const path = relative(root, id.replace(/^\0/, '').replace(/\?.*$/, '')).split(sep).join('/')
  const installed = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(path)?.[1]
  if (installed)
    return ['react', 'react-dom', 'scheduler'].includes(installed) ? 'react + react-dom' : installed
  const folder = dirname(path)
  if (folder.startsWith('content')) return 'content'
  return /^app\/(?!pages$|pages\/browser$).+$/.test(folder) ? folder : ''
}
