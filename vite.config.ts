import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react()],
  appType: 'custom',
  publicDir: false,
  envDir: false, // .env belongs to the server: run.mjs
  build: {
    target: 'es2022',
    modulePreload: false, // the pages name the chunks themselves
    reportCompressedSize: false,
  },
})
