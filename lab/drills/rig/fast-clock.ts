// Loaded into the product before all else: its clock is a minute ahead. Its timers are not.
const now = Date.now.bind(Date)
Date.now = () => now() + 60_000
