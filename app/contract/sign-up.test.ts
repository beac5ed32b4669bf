import { expectTypeOf, test } from 'vitest'
import type { SignUpRequest } from './sign-up.ts'

test('the body of a sign-up is the address and nothing else', () => {
  expectTypeOf<SignUpRequest>().toEqualTypeOf<{ email: string }>()
})
