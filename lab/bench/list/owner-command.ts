import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Product, root } from '#rigs/product.ts'

const run = promisify(execFile)

export const ownerEmail = 'owner@example.org'

/** A product with its database. */
export interface ListSite {
  product: Product
  databaseUrl: string
  /** On the list. */
  people: number
}

/** Runs a command of the owner from the bundle that serves, and returns what it prints. */
export async function runOwner(
  { product, databaseUrl }: ListSite,
  ...words: string[]
): Promise<string> {
  const environment = {
    DATABASE_URL: databaseUrl,
    PUBLIC_URL: product.url,
    OWNER_EMAIL: ownerEmail,
  }
  const { stdout } = await run(process.execPath, ['dist/server/server.mjs', 'owner', ...words], {
    cwd: root,
    env: { ...process.env, ...environment },
    maxBuffer: 512 * 1024 * 1024,
  })
  return stdout
}
