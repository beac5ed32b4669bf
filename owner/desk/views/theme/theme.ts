import { colorsTuple, createTheme, type CSSVariablesResolver } from '@mantine/core'
import { type Colour, type Colours, palette } from '#content/palette.ts'

/** The page's colours as CSS variables, under the design's names. */
export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: variablesOf(palette.light),
  dark: {
    ...variablesOf(palette.dark),
    '--mantine-color-default-color': 'var(--ink)',
    '--mantine-color-disabled': 'var(--rule)',
  },
})

function variablesOf(colours: Colours): Record<string, string> {
  return Object.fromEntries(Object.entries(colours).map(([name, value]) => [`--${name}`, value]))
}

/** A colour of the library has ten shades, from light to dark. */
const shades = (...names: Colour[]) => colorsTuple(names.map((name) => `var(--${name})`))
const large = { size: 'md' }

export const theme = createTheme({
  fontFamily: 'Besley, b1, b2, b3, b4, b5, serif',
  fontFamilyMonospace:
    "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'Liberation Mono', monospace",
  headings: {
    fontWeight: '500',
    sizes: { h1: { fontSize: 'clamp(26px, 3.6vw, 50px)', lineHeight: '1.06' } },
  },
  colors: {
    ...Object.fromEntries(
      Object.keys(palette.light).map((name) => [name, colorsTuple(`var(--${name})`)]),
    ),
    red: colorsTuple('var(--down)'),
    // The library's greys are its surfaces, lines and soft words.
    gray: shades('rule', 'rule', 'rule', 'rule', 'ink2', 'ink2', 'ink2', 'ink', 'ink', 'ink'),
    dark: shades('ink', 'ink', 'ink2', 'ink2', 'ink2', 'rule', 'paper', 'paper', 'rule', 'paper'),
  },
  primaryColor: 'ink',
  white: 'var(--paper)', // on ink, and the library's light surfaces
  black: 'var(--ink)',
  defaultRadius: 0,
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { variant: 'default', h: 48, fz: 16, fw: 600 } },
    Input: { defaultProps: large },
    NativeSelect: { defaultProps: large },
    Checkbox: { defaultProps: large },
    Radio: { defaultProps: large },
    Code: { defaultProps: { translate: 'no' } },
    Progress: { defaultProps: { bg: 'rule', color: 'ink2' } },
    SegmentedControl: {
      defaultProps: { color: 'ink', bg: 'rule', transitionDuration: 0 },
      styles: { label: { padding: '10px 12px' } },
    },
    // Two halves.
    SimpleGrid: {
      defaultProps: { cols: { base: 1, lg: 2 }, spacing: 'xl', verticalSpacing: 'xs' },
    },
    Table: { defaultProps: { fz: 16, horizontalSpacing: 4, borderColor: 'rule' } },
    Modal: {
      defaultProps: {
        transitionProps: { duration: 0 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
      styles: { title: { fontSize: 23, lineHeight: 1.2, overflowWrap: 'anywhere' } },
    },
    Notification: { defaultProps: { withBorder: true } },
  },
})
