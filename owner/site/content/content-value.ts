import { z } from 'zod'
import type { ContentValue } from '#site/words/description.ts'
import { longText, text } from '#owner/acts/inputs.ts'

/** A text, a number, a list, or an entry of a list. */
export const contentValue: z.ZodType<ContentValue> = z.lazy(() =>
  z.union([longText, z.number(), z.array(contentValue).max(200), z.record(text, contentValue)]),
)
