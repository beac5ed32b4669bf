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
  Radio,
  Table,
} from '@mantine/core'
import { type Colour, dark, light, type Palette } from '#content/palette.ts'

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
function only(colour: Colour): MantineColorsTuple {
  const shade = `var(--${colour})`
  return [shade, shade, shade, shade, shade, shade, shade, shade, shade, shade]
}

export const theme = createTheme({
  fontFamily: 'Besley, b1, b2, b3, b4, b5, serif',
  fontFamilyMonospace:
    "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'Liberation Mono', monospace",
  headings: { fontWeight: '500' },
  colors: {
    ink: only('ink'),
    ink2: only('ink2'),
    rule: only('rule'),
    fast: only('fast'),
    slow: only('slow'),
    down: only('down'),
  },
  primaryColor: 'ink',
  white: 'var(--paper)', // on ink, and the library's light surfaces
  black: 'var(--ink)',
  defaultRadius: 0,
  respectReducedMotion: true,
  components: {
    Button: Button.extend({ defaultProps: { variant: 'default', h: 48, fz: 16, fw: 600 } }),
    Input: Input.extend({ defaultProps: { size: 'md' } }),
    NativeSelect: NativeSelect.extend({ defaultProps: { size: 'md' } }),
    Checkbox: Checkbox.extend({ defaultProps: { size: 'md' } }),
    Radio: Radio.extend({ defaultProps: { size: 'md' } }),
    Table: Table.extend({ defaultProps: { fz: 16 } }),
    Modal: Modal.extend({
      defaultProps: {
        size: 480,
        transitionProps: { duration: 0 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    }),
    Notification: Notification.extend({ defaultProps: { color: 'ink', withBorder: true } }),
  },
})
