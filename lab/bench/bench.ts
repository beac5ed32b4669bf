import { mkdirSync } from 'node:fs'
import { findPlace, type Product, startProduct } from '#rigs/product.ts'

/** The context of each part of the bench. */
export interface Bench {
  quick: boolean
  /** Empty, on the disk of the project; thrown away afterwards. */
  folder: string
  progress: (line: string) => void
}

export const anonKey = 'bench-key'

export const benchEnvironment = {
  ANON_KEY: anonKey,
  SMTP_URL: 'smtp://127.0.0.1:9', // no server listens there
  LIMIT_ADDRESS_PER_DAY: 'off',
}

/**
 * The real server, with its data and its log as files in `folder`. Without NODE_ENV=production, which refuses the
 * placeholders in content/.
 */
export async function startBenchProduct(
  folder: string,
  environment: Record<string, string> = {},
): Promise<Product> {
  mkdirSync(folder, { recursive: true })
  return startProduct(await findPlace(folder), { environment: { ...benchEnvironment, ...environment } })
}
