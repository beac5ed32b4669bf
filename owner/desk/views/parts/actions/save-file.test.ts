import { expect, test } from 'vitest'
import { readFile } from './save-file.ts'

test('a file is read whole, and told line by line as it comes', async () => {
  const body = bodyOf(['email\r\na@example.com\r\n', 'b@exam', 'ple.com\r\n'])
  const told: number[] = []
  const file = await readFile(new Response(body), (lines) => told.push(lines))
  expect(await file.text()).toBe('email\r\na@example.com\r\nb@example.com\r\n')
  expect(told).toEqual([2, 2, 3])
})

test('a file that breaks off is no file', async () => {
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
  await expect(readFile(new Response(broken), () => {})).rejects.toThrow()
})

function bodyOf(pieces: readonly string[]): ReadableStream {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
      controller.close()
    },
  })
}
