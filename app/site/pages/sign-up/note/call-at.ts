/** A longer timer would end at once: browsers keep 31 bits. */
const longestTimerMs = 2 ** 31 - 1

/** Calls at a time by the page's clock, in ms since 1970. Returns how to end it. */
export function callAt(time: number, call: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  wait()
  return () => clearTimeout(timer)

  function wait() {
    const ms = Math.max(0, time - Date.now())
    timer = setTimeout(ms > longestTimerMs ? wait : call, Math.min(ms, longestTimerMs))
  }
}
