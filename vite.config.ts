import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

export default defineConfig({
  plugins: [react(), plainImports()],
  appType: 'custom',
  publicDir: false,
  envDir: false, // .env belongs to the server: run.mjs
  build: {
    target: 'es2022',
    modulePreload: false, // the pages name the chunks themselves
    reportCompressedSize: false,
  },
})

/** Vite wraps each import() in 1.7 kB that fetch the chunk's style sheets first. Ours have none. */
function plainImports(): Plugin {
  return {
    name: 'plain-imports',
    enforce: 'pre',
    apply: 'build',
    load: {
      filter: { id: /vite\/preload-helper/ },
      handler: () => 'export const __vitePreload = (load) => load()',
    },
  }
}
