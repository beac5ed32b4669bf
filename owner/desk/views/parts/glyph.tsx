import { Box } from '@mantine/core'

interface Drawing {
  color: string
  d: string
  isFilled?: boolean
}

const drawings = {
  ok: { color: 'var(--up)', d: 'M2 2h18v18H2zM6.5 11l3.5 3.5 6-7' },
  wrong: { color: 'var(--down)', d: 'M11 1 21 11 11 21 1 11zM11 6.5V12M11 14v2' },
  look: { color: 'var(--ink)', d: 'M11 1 21 11 11 21 1 11z' },
  unknown: { color: 'var(--ink)', d: 'M2 2h18v18H2zM8 8.5c0-4 6-4 6 0 0 2-3 2-3 4.5M11 15v2' },
  left: { color: 'var(--down)', d: 'M4 5h14L11 18z', isFilled: true },
  came: { color: 'var(--up)', d: 'M4 17h14L11 4z', isFilled: true },
  dash: { color: 'var(--ink)', d: 'M7 11h8' },
} satisfies Record<string, Drawing>

export type Mark = keyof typeof drawings

interface GlyphProps {
  mark: Mark
  size?: number
  /** At its right. */
  margin?: number
}

/** Repeats by form what words say beside it. */
export function Glyph({ mark, size = 20, margin = 8 }: GlyphProps) {
  const { color, d, isFilled = false }: Drawing = drawings[mark]
  return (
    <Box
      component="svg"
      viewBox="0 0 22 22"
      w={size}
      h={size}
      mr={margin}
      mb={-size / 5}
      aria-hidden="true"
    >
      <path d={d} fill={isFilled ? color : 'none'} stroke={color} strokeWidth={2} />
    </Box>
  )
}
