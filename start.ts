// `npm start`: brings dist/ up to date, then runs dist/server/server.mjs, which release and image
// run as well.
import { buildIfStale } from '#build/build.ts'

await buildIfStale()
const bundle = './dist/server/server.mjs'
await import(bundle)
