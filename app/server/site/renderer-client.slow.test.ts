import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildIfStale } from '#build/build-if-stale.ts'
import { hostileFiles } from '#rigs/server/hostile-files.ts'
import { openRenderer } from './renderer-client.ts'

const dist = join(import.meta.dirname, '../../../dist')
const limits = { callMs: 30_000 }
const renderer = openRenderer(dist, limits)
const hasProc = process.platform === 'linux'

beforeAll(() => buildIfStale())
afterAll(() => renderer.close())

async function drawShareImage(name: string) {
  const source = { difference: { texts: { 'brand.name': name } }, files: {} }
  return (await renderer.make(source)).root['og.png']!
}

test.each(hostileFiles)(
  '$kind: $name is refused in a sentence, and the next drawing is made',
  async ({ kind, name, bytes }) => {
    await drawShareImage(`Before ${name}`) // the process has started
    limits.callMs = 5_000
    const refusal = await renderer.readFiles({ [kind]: { name, mediaType: '', bytes } }).then(
      ({ faults }) => faults[0]?.message,
      (fault) => (fault.name === 'ContentError' ? fault.message : fault),
    )
    limits.callMs = 30_000
    expect(refusal).toMatch(/that is no page|cannot be drawn|is square|more than 5 seconds/)
    expect((await drawShareImage(`After ${name}`)).length).toBeGreaterThan(1_000)
  },
)

test.skipIf(!hasProc)(
  '(on Linux) a process that the system ends is told to who waits for it, and another one follows',
  async () => {
    await drawShareImage('Before')
    const waiting = expect(drawShareImage('Meanwhile')).rejects.toThrow(/more memory than there is/)
    endChildren()
    await waiting
    expect((await drawShareImage('After')).length).toBeGreaterThan(1_000)
    endChildren() // while it rests
    await expect.poll(children).toEqual([])
    expect((await drawShareImage('Later')).length).toBeGreaterThan(1_000)
  },
)

function endChildren(): void {
  for (const child of children()) process.kill(child, 'SIGKILL')
}

function children(): number[] {
  const ids = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
  return ids.split(' ').filter(Boolean).map(Number)
}

test('calls that were made at the same time are answered each for itself', async () => {
  const [one, page, other] = await Promise.all([
    drawShareImage('One'),
    renderer.make({ difference: { texts: { 'brand.name': 'Tide Bot' } }, files: {} }),
    drawShareImage('Other'),
  ])
  expect(page.pages['landing']).toContain('Tide Bot')
  expect(Buffer.from(one).equals(other)).toBe(false)
})

test('what is asked after the end is refused', async () => {
  const other = openRenderer(dist)
  await other.close()
  await expect(other.warm()).rejects.toThrow('closed')
})
