import type { FileKind } from '#site/source.ts'

/** The owner's own files, as the desk names them. */
export const fileNames: Readonly<Record<FileKind, string>> = {
  script: 'The script',
  guide: 'The guide',
  sharePicture: 'Share picture',
  chart: 'Your chart',
  chartDark: 'Your chart, dark',
  chartPhone: 'Your chart on phones',
  portrait: 'A picture of you',
  icon: 'Icon',
}
