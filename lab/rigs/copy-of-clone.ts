import { cpSync, globSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './product.ts'

/** A name of a folder with all that a shell, a URL or a module's address could take for its own. */
export const difficultName = `a b#c?d$(touch made)\`it's "e";f&g%41`

/**
 * The files of a clone after it was installed and built, in a folder that the caller deletes.
 * `name`: of that folder, in which case it stands in one of its own.
 */
export function copyOfClone(name = ''): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'starter-bot-clone-')), name)
  const wanted = ['{app,content,owner,lab,dist}', '*.{ts,json,mjs}', 'LICENSE']
  for (const part of globSync(wanted, { cwd: root })) {
    cpSync(join(root, part), join(folder, part), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}
