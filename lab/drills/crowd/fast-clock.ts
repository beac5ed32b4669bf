// Preloaded into the product by a drill: its clock runs `speed` times as fast, `aheadMs` ahead. Its timers do not.
const parameters = new URL(import.meta.url).searchParams
const speed = Number(parameters.get('speed') ?? 1)
const now = Date.now.bind(Date)
const start = now()
Date.now = () => start + Number(parameters.get('aheadMs') ?? 0) + Math.round((now() - start) * speed)
