import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { generateLoad, type LoadRequest, median, signUpRequest } from '#rigs/http/load.ts'
import { newInstallation, type Product, startProduct } from '#rigs/product.ts'
import type { Row } from './rounds.ts'

/** The context of each part of the bench. */
export interface Bench {
  quick: boolean
  /** Empty, on the disk of the project; thrown away afterwards. */
  folder: string
  /** Prints rows of a part that takes long before it ends. */
  print: (rows: Row[]) => void
  /** The folder of another checkout, installed and built, to compare with. */
  beside?: string
}

export type Part = (bench: Bench) => Promise<Row[]>

/**
 * The real server of this checkout, from its bundle, or of another, by its run.mjs. Data and log
 * are files in `folder`. Without NODE_ENV=production, which holds the page back until an owner
 * opens it.
 */
export async function startBenchProduct(
  folder: string,
  environment: Record<string, string> = {},
  checkout?: string,
): Promise<Product> {
  mkdirSync(folder, { recursive: true })
  return startProduct(await newInstallation(folder), {
    ...(checkout !== undefined && { checkout }),
    environment: {
      SMTP_URL: 'smtp://127.0.0.1:9', // no server listens there
      LIMIT_ADDRESS_PER_DAY: 'off',
      ...environment,
    },
  })
}

/**
 * Runs a program of the bench as a child process, so that its work does not count for another
 * program. Its first message is the port on which it serves.
 */
export async function startChild(file: string, question: object) {
  const child = fork(file, [JSON.stringify(question)])
  const killWithUs = () => void child.kill('SIGKILL')
  process.once('exit', killWithUs)
  const exited = once(child, 'exit')
  const failed = exited.then(() => Promise.reject(new Error(`${file} ended without an answer`)))
  const [port]: number[] = await Promise.race([once(child, 'message'), failed])
  return {
    port: port!,
    async [Symbol.asyncDispose]() {
      process.off('exit', killWithUs)
      killWithUs()
      await exited
    },
  }
}

/** The default number of connections at once. */
export const connections = 64

/** Sends the requests over many connections at once. They are made before the clock starts. */
export async function runLoad(port: number, requests: readonly LoadRequest[], at = connections) {
  let asked = 0
  const start = performance.now()
  const { finished, failed, latenciesMs, p99 } = generateLoad({
    port,
    connections: at,
    next: () => (asked < requests.length ? { request: requests[asked++]! } : undefined),
  })
  await finished
  const seconds = (performance.now() - start) / 1000
  if (failed() > 0) throw new Error(`${failed()} of ${requests.length} requests were refused`)
  return { perSecond: requests.length / seconds, p50Ms: median(latenciesMs), p99Ms: p99() }
}

let visitors = 0

/** Sign-ups of people who have not signed up before. */
export function newSignUps(origin: string, count: number): LoadRequest[] {
  return Array.from({ length: count }, () => {
    visitors += 1
    const email = `visitor.${process.pid}.${String(visitors).padStart(9, '0')}@example.com`
    return signUpRequest(origin, email)
  })
}
