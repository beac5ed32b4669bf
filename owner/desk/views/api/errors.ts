import { TRPCClientError } from '@trpc/client'
import type { DeskRouter } from './trpc.ts'

type DeskError = TRPCClientError<DeskRouter>

function isDeskError(error: unknown): error is DeskError {
  return error instanceof TRPCClientError
}

export function hasCode(
  error: unknown,
  code: 'UNAUTHORIZED' | 'NOT_FOUND' | 'SERVICE_UNAVAILABLE',
): boolean {
  return isDeskError(error) && error.data?.code === code
}

/** Server or database are away for now: the same call may do later. */
export function isPassing(error: unknown): boolean {
  return isDeskError(error) && (!error.data || hasCode(error, 'SERVICE_UNAVAILABLE'))
}

/** A sentence for the owner. Undefined: there is no error. */
export function errorMessage(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  return isDeskError(error) && !error.data ? 'The server cannot be reached.' : error.message
}

/** The field of a form that an error is about. Undefined: none. */
export function errorField(error: unknown): string | undefined {
  return isDeskError(error) ? error.data?.field : undefined
}

/** The sentence of an error that is about this field of a form. */
export function fieldError(error: unknown, field: string): string | undefined {
  return isDeskError(error) && error.data?.field === field ? error.message : undefined
}
