import { useInterval } from '@mantine/hooks'
import { useState } from 'react'

/** The time, every 5 s. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useInterval(() => setNow(Date.now()), 5_000, { autoInvoke: true })
  return now
}
