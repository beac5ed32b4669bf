export interface Bell {
  ring(): void
  /** Resolves at the next ring, at once if it rang since the last wait, or after `ms`. */
  rung(ms: number): Promise<void>
}

export function makeBell(): Bell {
  let rang = false
  let wakeUp = () => {}
  return {
    ring() {
      rang = true
      wakeUp()
    },
    async rung(ms) {
      if (!rang) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wakeUp = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      rang = false
    },
  }
}
