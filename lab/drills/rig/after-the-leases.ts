import type { Form } from './stage.ts'

/**
 * Modules to load before a product whose worker before was killed. The long form waits until the leases of the dead worker
 * end, 45 s later. In the short one the clock is a minute ahead, so that the same comparison ends them at once.
 */
export function afterTheLeases(form: Form): URL[] {
  return form === 'short' ? [new URL('fast-clock.ts', import.meta.url)] : []
}
