import { CommandError } from './command-context.ts'

/** The reason why a form was not accepted, in one sentence that stands at a field. */
export class FieldError extends CommandError {
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}
