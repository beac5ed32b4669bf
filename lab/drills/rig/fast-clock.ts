// Preloaded into the product by a drill: its clock runs `speed` times as fast, `aheadMs` ahead. Its timers do not.
const { searchParams } = new URL(import.meta.url)
const speed = Number(searchParams.get('speed'))
const now = Date.now.bind(Date)
const start = now()
const ahead = start + Number(searchParams.get('aheadMs'))
Date.now = () => ahead + Math.round((now() - start) * speed)
