import type { Worker } from 'node:worker_threads'
import { ContentError } from '#site/kit/content-error.ts'
import type { RendererAnswer, SiteWork } from '#site/thread-messages.ts'
import { startBuiltThread } from '../settings/project-files.ts'

/** The renderer, from outside its thread. Rejects with a ContentError for the owner. */
export interface Renderer extends SiteWork {
  close(): Promise<void>
}

/**
 * The thread and its memory go after this time without work: long enough to read once more what
 * will be published.
 */
const idleMs = 10 * 60_000

interface Call {
  /** `never`: the result has another type in each call. */
  resolve: (result: never) => void
  reject: (fault: unknown) => void
}

/** Nothing is loaded before the first call. `dist`: what the build wrote. */
export function openRenderer(dist: string): Renderer {
  const thread = new RendererThread(dist)
  return {
    readFiles: (...values) => thread.ask('readFiles', values),
    render: (...values) => thread.ask('render', values),
    renderNotes: (...values) => thread.ask('renderNotes', values),
    draw: (...values) => thread.ask('draw', values),
    drawOne: (...values) => thread.ask('drawOne', values),
    warm: () => thread.ask('warm', []),
    close: () => thread.end(new Error('the server stops')),
  }
}

class RendererThread {
  readonly #dist: string
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #lastId = 0
  readonly #calls = new Map<number, Call>()

  constructor(dist: string) {
    this.#dist = dist
  }

  ask<Name extends keyof SiteWork>(
    name: Name,
    values: Parameters<SiteWork[Name]>,
  ): Promise<Awaited<ReturnType<SiteWork[Name]>>> {
    const worker = (this.#worker ??= this.#start())
    clearTimeout(this.#idle)
    const id = (this.#lastId += 1)
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject })
      worker.postMessage({ id, name, values })
    })
  }

  async end(fault: Error): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    clearTimeout(this.#idle)
    for (const { reject } of this.#calls.values()) reject(fault)
    this.#calls.clear()
    await worker?.terminate()
  }

  #start(): Worker {
    const worker = startBuiltThread('app/site/thread.ts', this.#dist)
    worker.unref()
    worker.on('message', (answer: RendererAnswer) => this.#settle(answer))
    worker.on('error', (fault: Error) => {
      if (worker === this.#worker) void this.end(fault)
    })
    return worker
  }

  #settle(answer: RendererAnswer): void {
    const call = this.#calls.get(answer.id)
    this.#calls.delete(answer.id)
    if (this.#calls.size === 0) {
      this.#idle = setTimeout(() => void this.end(new Error('idle')), idleMs).unref()
    }
    if (answer.kind === 'result') {
      call?.resolve(answer.result as never) // of the call with this id
    } else if (answer.isContent) {
      call?.reject(new ContentError(answer.message))
    } else {
      call?.reject(new Error(answer.message))
    }
  }
}
