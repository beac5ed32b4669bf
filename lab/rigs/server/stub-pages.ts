import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { drawingFilesOfBuild, ourScript, rootFiles } from '#build/share/artwork.ts'
import { ourContent } from '#rigs/our-content.ts'
import { type InlineHashes, type SiteBundle, takeApart } from '#site/bundle.ts'
import { kitFiles } from '#site/kit/kit-files.ts'
import type { PageAssets } from '#site/pages/page-assets.ts'
import { byModule, pageTable } from '#site/pages/page-table.ts'
import { shortTemplate } from './queue-mails.ts'

const versionLetter = {
  subject: '{subject}',
  html: '<p>{body}{reason}</p>',
  text: '{body}\n{reason}\n{kitUrl}',
}
const script = '//@version=6\n// Version 1.1.0, 2999-01-01\nstrategy("EMA")\n'
const content = {
  ...ourContent,
  releases: [
    { version: '1.1.0', date: '2999-01-01', changes: [] },
    { version: '1.0.0', date: '2026-11-21', changes: [] },
  ],
}
const bundle: SiteBundle = {
  build: 'stub',
  content,
  pages: {
    ...Object.fromEntries(Object.keys(pageTable).map((name) => [name, pageOf(name)])),
    'test-address-closed': 'test-address-closed',
    'test-address-missing': 'test-address-missing',
    'test-address-open': 'test-address-open {address} {seen} {done} {arrivals}',
    'test-arrival': '<li>{contentType} {sender} {verdict} {message}</li>',
    'leaving-listed': 'leaving-listed',
    'leaving-left': 'leaving-left',
    'leaving-blocked': 'leaving-blocked',
    ...Object.fromEntries(whatChanged().map((name) => [name, `${name} {since}`])),
  },
  kit: kitFiles({ script: Buffer.from(script), guide: Buffer.from('%PDF-1.7') }, content.fileNames),
  root: {
    'robots.txt': Buffer.from('User-agent: *\nSitemap: {publicUrl}/sitemap.xml\n'),
    'icon-192.png': Buffer.from('89504e470d0a1a0a', 'hex'),
  },
  mails: {
    starter: shortTemplate,
    versionLetter,
    letter: { subject: '{subject}', html: '{body}', text: '{body}', attributes: noAttributes() },
  },
  inlineHashes: Object.fromEntries(
    Object.keys(pageTable).map((name) => [name, inlineHashesOf(name)]),
  ) as SiteBundle['inlineHashes'], // the names of the table
}

/** Parts of the site that a stub build has instead of its own. */
export type StubParts = Partial<SiteBundle>

/** A site whose pages are one line: their name and every value that is filled in. */
export function stubSite({ pages, ...changed }: StubParts = {}): SiteBundle {
  return { ...bundle, ...changed, pages: { ...bundle.pages, ...pages } }
}

const made = new Map<string, string>()
const folders: string[] = []
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A folder in the form that the build writes. All tests of a process share it. */
export function stubBuild(changed: StubParts = {}): string {
  const key = JSON.stringify(changed)
  const folder = made.get(key) ?? makeStubBuild(changed)
  made.set(key, folder)
  return folder
}

/** One of the caller's own, until the process ends. */
export function makeStubBuild(changed?: StubParts): string {
  const folder = mkdtempSync(join(tmpdir(), 'starter-bot-stub-'))
  folders.push(folder)
  writeStubSite(folder, changed)
  write(folder, 'assets/page-0123.js', 'export {}')
  write(folder, 'assets/page-0123.js.br', brotliCompressSync('export {}'))
  return folder
}

/** `dist`: the folder of a build. */
export function writeStubSite(dist: string, changed?: StubParts): void {
  const { text, files } = takeApart(stubSite(changed))
  write(dist, 'site/bundle.json', text)
  for (const [name, bytes] of Object.entries(files)) write(dist, `site/${name}`, bytes)
}

/** A stub build with the files that the renderer needs, and the real script. */
export function stubBuildWithRenderer(): string {
  const folder = makeStubBuild()
  const page: PageAssets = {
    startScript: 'start()',
    modules: byModule(() => []),
    fonts: [],
    styles: byModule(() => ''),
  }
  write(folder, 'renderer/assets.json', JSON.stringify({ build: bundle.build, page }))
  write(folder, 'renderer/script.pine', ourScript())
  for (const [name, bytes] of Object.entries(rootFiles())) {
    write(folder, `renderer/root/${name}`, bytes)
  }
  for (const [name, bytes] of Object.entries(drawingFilesOfBuild())) {
    write(folder, `renderer/${name}`, bytes)
  }
  return folder
}

function write(folder: string, name: string, contents: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), contents)
}

function noAttributes(): SiteBundle['mails']['letter']['attributes'] {
  const none = { p: '', h2: '', a: '', ul: '', ol: '', li: '', blockquote: '', pre: '' }
  return { ...none, hr: '', img: '', table: '', th: '', td: '' }
}

function pageOf(name: string): string {
  return `<h1>${name}</h1> {address} {token} form={form} campaign={campaign} {meant} {time} {leaving} {testAddress} {whatChanged} {path} {mailService} {others} {traces} {receiptLink} {tag} {heading} {text}${name === 'kit' ? ' '.repeat(1024) : ''}`
}

function inlineHashesOf(name: string): InlineHashes {
  const styleHashes = ['sha256-style', ...(name === 'kit' ? ['sha256-kit'] : [])]
  return { styleHashes, scriptHashes: ['sha256-script'] }
}

function whatChanged(): string[] {
  return ['1.1.0', '1.0.0', ''].flatMap((version) =>
    ['left', 'off', 'versions', 'news', 'on'].map((state) => `what-changed-${version}-${state}`),
  )
}
