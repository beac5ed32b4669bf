import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { ContentError } from '#site/kit/content-error.ts'
import type { RendererAnswer, RendererRequest, SiteWork } from '#site/renderer-messages.ts'
import { startBuiltProcess } from '../project-files.ts'
import { processorTime } from './processor-time.ts'

/** The renderer, from outside its process. Rejects with a ContentError for the owner. */
export interface Renderer extends SiteWork {
  close(): Promise<void>
}

/** A test sets them shorter. */
export interface RendererLimits {
  /**
   * The processor time that the process may take for one call, its start included: on a busy
   * machine a call takes longer, and not more. Where the system does not tell it, the time that
   * passes.
   */
  callMs: number
  /** The time in which a process that stands still, or hardly gets on, has to answer. */
  answerMs: number
}

const defaultLimits: RendererLimits = { callMs: 30_000, answerMs: 10 * 60_000 }
const lookEveryMs = 100

/** The process and its memory go after this time without work. */
const idleMs = 10 * 60_000
/**
 * More than twice what the tools take as WebAssembly, which the process itself limits: beyond half
 * of it V8 collects all garbage whenever one of them asks for memory, two seconds in a guide.
 */
const heapMb = 512

/** Nothing is loaded before the first call. `dist`: what the build wrote. */
export function openRenderer(dist: string, limits = defaultLimits): Renderer {
  const renderer = new RendererProcess(join(dist, 'renderer'), limits)
  return {
    readFiles: (...values) => renderer.ask('readFiles', values),
    make: (...values) => renderer.ask('make', values),
    makeNotes: (...values) => renderer.ask('makeNotes', values),
    drawGuidePage: (...values) => renderer.ask('drawGuidePage', values),
    warm: () => renderer.ask('warm', []),
    close: () => renderer.close(),
  }
}

class RendererProcess {
  readonly #folder: string
  readonly #limits: RendererLimits
  #process: ChildProcess | undefined
  #idle: NodeJS.Timeout | undefined
  #lastCall: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(folder: string, limits: RendererLimits) {
    this.#folder = folder
    this.#limits = limits
  }

  ask<Name extends keyof SiteWork>(
    name: Name,
    values: Parameters<SiteWork[Name]>,
  ): Promise<Awaited<ReturnType<SiteWork[Name]>>> {
    // TypeScript forgets that the values belong to the name.
    const request = { name, values } as RendererRequest
    const result = this.#lastCall.then(() => this.#call(request))
    this.#lastCall = result.catch(() => {})
    return result as never // of the call with this name
  }

  close(): Promise<void> {
    this.#isClosed = true
    return this.#end()
  }

  async #call(request: RendererRequest): Promise<unknown> {
    if (this.#isClosed) throw new Error('The renderer is closed')
    clearTimeout(this.#idle)
    const child = this.#running()
    child.ref()
    child.channel?.ref()
    const { callMs } = this.#limits
    const answer = await answerOf(child, request, this.#limits)
    if (answer === 'none' || answer.isSpent) await this.#end()
    else this.#rest(child)
    if (answer === 'none') throw this.#isClosed ? new Error('The server stops') : tooMuch(callMs)
    if (answer.kind === 'result') return answer.result
    throw answer.isContent ? new ContentError(answer.message) : new Error(answer.message)
  }

  #running(): ChildProcess {
    if (this.#process && !hasEnded(this.#process)) return this.#process
    const child = startBuiltProcess('app/site/renderer-process.ts', this.#folder, heapMb)
    child.on('error', () => {}) // whoever waits for an answer is told
    this.#process = child
    return child
  }

  /** A process that rests does not keep a command from ending. */
  #rest(child: ChildProcess): void {
    child.unref()
    child.channel?.unref()
    this.#idle = setTimeout(() => void this.#end(), idleMs).unref()
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle)
    const child = this.#process
    this.#process = undefined
    if (!child || hasEnded(child)) return
    const ended = once(child, 'exit')
    child.ref()
    child.kill('SIGKILL') // drawing does not listen to anything else
    await ended
  }
}

/** `none`: the process takes too long, or ended, for example for lack of memory. */
async function answerOf(
  child: ChildProcess,
  request: RendererRequest,
  { callMs, answerMs }: RendererLimits,
): Promise<RendererAnswer | 'none'> {
  const done = new AbortController()
  const signal = AbortSignal.any([done.signal, AbortSignal.timeout(answerMs)])
  const begun = clockOf(child)
  const watch = setInterval(() => {
    if (clockOf(child) - begun > callMs) done.abort()
  }, lookEveryMs)
  const answered = once(child, 'message', { signal }).then(([answer]) => answer as RendererAnswer) // as the process sends it
  const ended = once(child, 'exit', { signal }).then(() => 'none' as const)
  child.send(request, () => {}) // a process that has just ended is told by its exit
  try {
    return await Promise.race([answered, ended])
  } catch {
    return 'none'
  } finally {
    clearInterval(watch)
    done.abort()
    await Promise.allSettled([answered, ended])
  }
}

/** In ms: the processor time of the process if the system tells it, else a clock. */
function clockOf({ pid = 0 }: ChildProcess): number {
  return processorTime(pid)?.own ?? performance.now()
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

function tooMuch(callMs: number): ContentError {
  return new ContentError(
    `Drawing this took more than ${callMs / 1000} seconds, or more memory than there is. A smaller or simpler file will do.`,
  )
}
