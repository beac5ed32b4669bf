import { z } from 'zod'

// PostgreSQL stores no NUL in a text.
const noNul = /^[^\0]*$/
export const text = z.string().max(1_000).regex(noNul)
export const longText = z.string().max(20_000).regex(noNul)
export const id = z.int().positive()
export const byId = z.object({ id })
