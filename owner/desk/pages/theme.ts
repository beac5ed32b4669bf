import {
  Button,
  Checkbox,
  createTheme,
  type CSSVariablesResolver,
  Input,
  type MantineColorsTuple,
  Modal,
  NativeSelect,
  Notification,
  Progress,
  Radio,
  SegmentedControl,
  SimpleGrid,
  Table,
} from '@mantine/core'
import { dark, light, type Palette } from '#content/palette.ts'

/** The page's colours as CSS variables, under the design's names. */
export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: variablesOf(light),
  dark: variablesOf(dark),
})

function variablesOf(palette: Palette): Record<string, string> {
  const own = Object.entries(palette).map(([name, value]) => [`--${name}`, value])
  return {
    ...Object.fromEntries(own),
    '--mantine-color-body': 'var(--paper)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--ink2)',
    '--mantine-color-placeholder': 'var(--ink2)',
    '--mantine-color-error': 'var(--down)',
    '--mantine-color-gray-4': 'var(--ink2)',
    '--mantine-color-dark-4': 'var(--ink2)',
    '--mantine-color-dark-6': 'var(--paper)',
    '--mantine-color-default': 'var(--paper)',
    '--mantine-color-default-color': 'var(--ink)',
    '--mantine-color-default-hover': 'var(--rule)',
    '--mantine-color-default-border': 'var(--ink)',
  }
}

/** A colour of the library has ten shades; one of ours has one. */
function shadesOf(colour: string): MantineColorsTuple {
  const shade = `var(--${colour})`
  return [shade, shade, shade, shade, shade, shade, shade, shade, shade, shade]
}

const large = { size: 'md' }

export const theme = createTheme({
  fontFamily: 'Besley, b1, b2, b3, b4, b5, serif',
  fontFamilyMonospace:
    "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'Liberation Mono', monospace",
  headings: {
    fontWeight: '500',
    sizes: { h1: { fontSize: 'clamp(26px, 3.6vw, 50px)', lineHeight: '1.06' } },
  },
  colors: Object.fromEntries(Object.keys(light).map((colour) => [colour, shadesOf(colour)])),
  primaryColor: 'ink',
  white: 'var(--paper)', // on ink, and the library's light surfaces
  black: 'var(--ink)',
  defaultRadius: 0,
  respectReducedMotion: true,
  components: {
    Button: Button.extend({ defaultProps: { variant: 'default', h: 48, fz: 16, fw: 600 } }),
    Input: Input.extend({ defaultProps: large }),
    NativeSelect: NativeSelect.extend({ defaultProps: large }),
    Checkbox: Checkbox.extend({ defaultProps: large }),
    Radio: Radio.extend({ defaultProps: large }),
    Progress: Progress.extend({ defaultProps: { bg: 'rule', color: 'ink2' } }),
    SegmentedControl: SegmentedControl.extend({
      defaultProps: { color: 'ink', bg: 'rule', transitionDuration: 0 },
    }),
    // Two halves.
    SimpleGrid: SimpleGrid.extend({
      defaultProps: { cols: { base: 1, lg: 2 }, spacing: 'xl', verticalSpacing: 'xs' },
    }),
    Table: Table.extend({ defaultProps: { fz: 16, horizontalSpacing: 4, borderColor: 'rule' } }),
    Modal: Modal.extend({
      defaultProps: { transitionProps: { duration: 0 }, closeButtonProps: { 'aria-label': 'Close' } },
    }),
    Notification: Notification.extend({ defaultProps: { withBorder: true } }),
  },
})
