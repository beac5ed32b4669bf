import { isDatabaseFault } from '#server/database/faults.ts'
import { Refusal } from './command.ts'

/** One sentence for the owner. */
export function explainFault(fault: unknown): string {
  if (fault instanceof Refusal) return fault.message
  if (!(fault instanceof Error)) return `It failed: ${String(fault)}`
  const code = 'code' in fault && typeof fault.code === 'string' ? fault.code : undefined
  const path = 'path' in fault && typeof fault.path === 'string' ? fault.path : undefined
  if (path && code === 'ENOENT') return `There is no file ${path}.`
  if (path && code === 'EEXIST') return `${path} exists already; nothing was changed.`
  if (path && (code === 'EACCES' || code === 'EPERM')) return `This user may not use ${path}.`
  if (code === 'ENOSPC' || /database or disk is full/.test(fault.message)) return 'The disk is full.'
  if (isDatabaseFault(fault)) return `The database does not do it: ${fault.message || code}.`
  return `It failed: ${fault.message || code || fault.name}`
}
