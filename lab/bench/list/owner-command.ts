import { type Product, runOwnerCommand } from '#rigs/product.ts'

export const ownerEmail = 'owner@example.org'

/** A product with its database. */
export interface ListSite {
  product: Product
  databaseUrl: string
  /** On the list. */
  people: number
}

/** Runs a command of the owner on the site's list, and returns what it prints. */
export function runOwner({ product, databaseUrl }: ListSite, ...words: string[]): Promise<string> {
  const environment = {
    DATABASE_URL: databaseUrl,
    PUBLIC_URL: product.url,
    OWNER_EMAIL: ownerEmail,
  }
  return runOwnerCommand(environment, ...words)
}
