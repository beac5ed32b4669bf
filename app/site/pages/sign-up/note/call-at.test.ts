import { expect, onTestFinished, test, vi } from 'vitest'
import { callAt } from './call-at.ts'

const dayMs = 24 * 3_600_000

test('a call waits for longer than a browser’s timer can run, and comes once', () => {
  onTestFinished(() => void vi.useRealTimers())
  vi.useFakeTimers()
  const call = vi.fn()
  callAt(Date.now() + 60 * dayMs, call)
  vi.advanceTimersByTime(60 * dayMs - 1)
  expect(call).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1 + 60 * dayMs)
  expect(call).toHaveBeenCalledOnce()
})

test('a call that was ended does not come', () => {
  onTestFinished(() => void vi.useRealTimers())
  vi.useFakeTimers()
  const call = vi.fn()
  const end = callAt(Date.now() + 60 * dayMs, call)
  vi.advanceTimersByTime(40 * dayMs)
  end()
  vi.advanceTimersByTime(40 * dayMs)
  expect(call).not.toHaveBeenCalled()
})
