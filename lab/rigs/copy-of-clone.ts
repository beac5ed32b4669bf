import { cpSync, globSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './product.ts'

/** The files of a clone after it was installed and built, in a folder that the caller deletes. */
export function copyOfClone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'starter-bot-clone-'))
  const wanted = ['{app,content,owner,lab,dist}', '*.{ts,json,mjs}', 'LICENSE']
  for (const name of globSync(wanted, { cwd: root })) {
    cpSync(join(root, name), join(folder, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}
