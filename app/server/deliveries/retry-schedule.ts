/**
 * The wait before the next try, in ms, after the failure that was number `failures` (1 for the first). Undefined: give up.
 */
export function nextWaitMs(waitsSeconds: readonly number[], failures: number): number | undefined {
  const seconds = waitsSeconds[failures - 1]
  return seconds === undefined ? undefined : seconds * 1000
}
