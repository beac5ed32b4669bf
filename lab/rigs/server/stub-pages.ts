import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { drawingFiles, readArtwork } from '#build/share/artwork.ts'
import { defaultContent } from '#content/content.ts'
import { givenScriptFile } from '#site/kit/given-files.ts'
import type { PageAssets } from '#site/pages/page-assets.ts'
import type { PageName } from '#site/pages/request-values.ts'
import { shortTemplate } from './queue-mails.ts'

const names = [
  'landing',
  'not-found',
  'kit-not-found',
  'opens-soon',
  'elsewhere',
  'result-sent',
  'result-already-on-list',
  'result-invalid',
  'result-slip',
  'failure',
  'result-error',
  'result-wait',
  'kit',
  'announcements',
  'news',
  'unsubscribe',
  'unsubscribed',
  'block',
  'blocked',
  'unblocked',
  'erased',
  'erased-until-overwritten',
] as const satisfies PageName[]

const versionLetter = {
  subject: '{subject}',
  html: '<p>{body}{reason}</p>',
  text: '{body}\n{reason}\n{kitUrl}',
}
const script = '//@version=6\nstrategy("EMA")\n'
const files: Record<string, string | Buffer> = {
  ...Object.fromEntries(names.map((name) => [`pages/${name}.html`, pageOf(name)])),
  'pages/leaving-listed.html': 'leaving-listed',
  'pages/leaving-left.html': 'leaving-left',
  'pages/leaving-blocked.html': 'leaving-blocked',
  ...Object.fromEntries(whatChanged().map((name) => [`pages/${name}.html`, `${name} {since}`])),
  'kit/kit.json': JSON.stringify([
    {
      name: 'ema-crossover.pine',
      savedAs: 'ema-crossover.pine',
      mediaType: 'text/plain; charset=utf-8',
    },
    { name: 'setup-guide.pdf', savedAs: 'setup-guide.pdf', mediaType: 'application/pdf' },
  ]),
  'kit/ema-crossover.pine': script,
  'kit/setup-guide.pdf': '%PDF-1.7',
  'kit/releases.json': JSON.stringify([
    { version: '1.1.0', date: '2999-01-01', changes: [] },
    { version: '1.0.0', date: '2026-11-21', changes: [] },
  ]),
  'root/robots.txt': 'User-agent: *\nSitemap: {publicUrl}/sitemap.xml\n',
  'root/icon-192.png': Buffer.from('89504e470d0a1a0a', 'hex'),
  'assets/page-0123.js': 'export {}',
  'assets/page-0123.js.br': brotliCompressSync('export {}'),
  'email/starter-email.json': JSON.stringify(shortTemplate),
  'email/version-letter.json': JSON.stringify(versionLetter),
  'email/letter.json': JSON.stringify({ html: '{body}', text: '{body}', attributes: {} }),
  'build.json': JSON.stringify({ styleHashes: ['sha256-style'], scriptHashes: ['sha256-script'] }),
}

/** A stub build with the files that the renderer needs, and the real script and guide. */
export function stubBuildWithRenderer(): string {
  const folder = makeStubBuild()
  const assets: PageAssets = {
    startScript: 'start()',
    modules: { 'landing-page': [], 'personal-page': [], 'not-found': [], 'small-page': [] },
    fonts: [],
    styles: { 'landing-page': '', 'personal-page': '', 'not-found': '', 'small-page': '' },
  }
  write(folder, 'renderer/assets.json', JSON.stringify(assets))
  write(folder, 'kit/ema-crossover.pine', givenScriptFile(defaultContent.kit.script))
  write(folder, 'kit/setup-guide.pdf', readArtwork('setup-guide.pdf'))
  for (const [name, bytes] of Object.entries(drawingFiles())) {
    write(folder, `renderer/${name}`, bytes)
  }
  return folder
}

const made = new Map<string, string>()

/**
 * A folder in the form that the build writes, whose pages are one line: their name and every value
 * that is filled in. `changed`: files with other contents. All tests of a process share it.
 */
export function stubBuild(changed: Record<string, string> = {}): string {
  const key = JSON.stringify(changed)
  const folder = made.get(key) ?? makeStubBuild(changed)
  made.set(key, folder)
  return folder
}

/** One of the caller's own, until the process ends. */
export function makeStubBuild(changed: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'starter-bot-stub-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries({ ...files, ...changed })) {
    write(folder, name, content)
  }
  return folder
}

function write(folder: string, name: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), content)
}

function pageOf(name: PageName): string {
  return `<h1>${name}</h1> {address} {token} form={form} campaign={campaign} {meant} {time} {leaving} {whatChanged} {path} {receiptLink} {tag} {heading} {text}${name === 'kit' ? ' '.repeat(1024) : ''}`
}

function whatChanged(): string[] {
  return ['1.1.0', '1.0.0'].flatMap((version) =>
    ['left', 'off', 'versions', 'news', 'on'].map((state) => `what-changed-${version}-${state}`),
  )
}
