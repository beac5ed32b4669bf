interface KnownName {
  name: string
  pattern: RegExp
}

// The first match counts: Edge also names Chrome, Chrome names Safari, and Android names Linux.
const browsers: readonly KnownName[] = [
  { name: 'Edge', pattern: /Edg/ },
  { name: 'Firefox', pattern: /Firefox|FxiOS/ },
  { name: 'Chrome', pattern: /Chrom|CriOS/ },
  { name: 'Safari', pattern: /Safari/ },
]
const systems: readonly KnownName[] = [
  { name: 'iOS', pattern: /iPhone|iPad/ },
  { name: 'Android', pattern: /Android/ },
  { name: 'Windows', pattern: /Windows/ },
  { name: 'macOS', pattern: /Mac OS/ },
  { name: 'Linux', pattern: /Linux/ },
]

/** Such as `Firefox on Linux`. */
export function nameOfBrowser(userAgent = ''): string {
  const isNamed = ({ pattern }: KnownName) => pattern.test(userAgent)
  const browser = browsers.find(isNamed)?.name ?? 'A browser'
  const system = systems.find(isNamed)?.name
  return system === undefined ? browser : `${browser} on ${system}`
}
