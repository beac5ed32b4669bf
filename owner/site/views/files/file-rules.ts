import type { FileKind } from '#site/source.ts'

/** The file that visitors get while the owner has none of their own. */
export const wordsWithoutFile: Record<FileKind, 'ours' | 'drawn' | 'none'> = {
  script: 'ours',
  guide: 'ours',
  sharePicture: 'drawn',
  chart: 'none',
  chartDark: 'none',
  chartPhone: 'none',
  portrait: 'none',
  icon: 'ours',
}

const pictures = '.png,.svg,image/png,image/svg+xml'

interface FileRules {
  /** In words. */
  rules: string
  /** For the browser's own choice of files. */
  accept: string
}

export const fileRules: Record<FileKind, FileRules> = {
  script: {
    rules: '.pine, .pinescript or .txt, UTF-8, 256 kB at most',
    accept: '.pine,.pinescript,.txt',
  },
  guide: { rules: '.pdf, 10 MB at most', accept: '.pdf,application/pdf' },
  sharePicture: {
    rules: 'Shown where a link is posted. PNG, 1200 × 630',
    accept: '.png,image/png',
  },
  chart: { rules: 'In place of our sample chart. PNG, or SVG without scripts', accept: pictures },
  chartDark: { rules: 'For visitors with a dark page. PNG or SVG', accept: pictures },
  chartPhone: { rules: 'For narrow screens, nearly square. PNG or SVG', accept: pictures },
  portrait: {
    rules: 'Below the note that you sign. A photo: JPEG or PNG',
    accept: 'image/jpeg,image/png',
  },
  icon: {
    rules: 'Beside the name. A square SVG, or a square PNG of 192 to 2048',
    accept: pictures,
  },
}
