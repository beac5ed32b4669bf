import { useDebouncedValue } from '@mantine/hooks'
import { useMemo } from 'react'

interface SettledOptions {
  /** The time without a change, in ms. */
  ms: number
  /** The first change counts at once. */
  isFirstAtOnce?: boolean
}

/**
 * The value as soon as it rests: the server is not asked at each key. It is compared as JSON,
 * because a value that each rendering makes anew would never rest.
 */
export function useSettled<Value>(
  value: Value,
  { ms, isFirstAtOnce = false }: SettledOptions,
): Value {
  const [json] = useDebouncedValue(JSON.stringify(value), ms, { leading: isFirstAtOnce })
  return useMemo(() => JSON.parse(json), [json])
}
