import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { buildIfStale } from '#build/build-if-stale.ts'
import { hostileFiles, pdfOf, svgOf } from '#rigs/server/hostile-files.ts'
import type { FileKind } from '#site/source.ts'
import { openRenderer } from './renderer-client.ts'

const dist = join(import.meta.dirname, '../../../dist')
const limits = { callMs: 30_000, answerMs: 600_000 }
const renderer = openRenderer(dist, limits)
const hasProc = process.platform === 'linux'

beforeAll(() => buildIfStale())
afterAll(() => renderer.close())

/** Draws a file of the owner's once, and returns the faults that were found in it. */
async function faultsOf(kind: FileKind, file: { name: string; bytes: Buffer }) {
  const { faults } = await renderer.readFiles({ [kind]: { mediaType: '', ...file } })
  return faults.map(({ message }) => message)
}

const square = svgOf('<rect width="1" height="1"/>')

function drawGood(kind: FileKind): Promise<string[]> {
  const bytes = kind === 'guide' ? pdfOf('0 0 600 800') : square
  return faultsOf(kind, { name: 'good', bytes })
}

test.each(hostileFiles)(
  '$kind: $name is refused in a sentence, and the next drawing is made',
  async ({ kind, name, bytes }) => {
    expect(await drawGood(kind)).toEqual([]) // the process has started
    limits.callMs = 500
    const refusal = await faultsOf(kind, { name, bytes }).then(
      ([fault]) => fault,
      (fault) => (fault.name === 'ContentError' ? fault.message : fault),
    )
    limits.callMs = 30_000
    expect(refusal).toMatch(/that is no page|cannot be drawn|is square|more than 0.5 seconds/)
    expect(await drawGood(kind)).toEqual([])
  },
)

test.skipIf(!hasProc)(
  '(on Linux) a process that the system ends is told to who waits for it, and another one follows',
  async () => {
    await drawGood('icon')
    const waiting = expect(drawGood('icon')).rejects.toThrow(/more memory than there is/)
    signalChildren('SIGKILL')
    await waiting
    expect(await drawGood('icon')).toEqual([])
    signalChildren('SIGKILL') // while it rests
    await expect.poll(children).toEqual([])
    expect(await drawGood('icon')).toEqual([])
  },
)

test.skipIf(!hasProc)(
  '(on Linux) a call that waits for a processor is not ended, however long',
  async () => {
    await drawGood('icon')
    signalChildren('SIGSTOP')
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const drawing = drawGood('icon')
    await expect.poll(vi.getTimerCount).toBe(1) // the call has begun
    vi.advanceTimersByTime(2 * limits.callMs)
    signalChildren('SIGCONT')
    expect(await drawing).toEqual([])
  },
)

test.skipIf(!hasProc)(
  '(on Linux) a process that stands still is ended after a time, and another one follows',
  async () => {
    await drawGood('icon')
    limits.answerMs = 100
    const waiting = expect(drawGood('icon')).rejects.toThrow(/more than 30 seconds/)
    signalChildren('SIGSTOP')
    await waiting
    limits.answerMs = 600_000
    expect(await drawGood('icon')).toEqual([])
  },
)

function signalChildren(signal: NodeJS.Signals): void {
  for (const child of children()) process.kill(child, signal)
}

function children(): number[] {
  const ids = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
  return ids.split(' ').filter(Boolean).map(Number)
}

test('calls that were made at the same time are answered each for itself', async () => {
  const [one, page, other] = await Promise.all([
    drawGood('icon'),
    renderer.make({ difference: { texts: { 'brand.name': 'Tide Bot' } }, files: {} }),
    faultsOf('icon', { name: 'other', bytes: Buffer.from('no picture') }),
  ])
  expect(one).toEqual([])
  expect(page.pages['landing']).toContain('Tide Bot')
  expect(other).toHaveLength(1)
})

test('what is asked after the end is refused', async () => {
  const other = openRenderer(dist)
  await other.close()
  await expect(other.warm()).rejects.toThrow('closed')
})
