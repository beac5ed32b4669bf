import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs `drill` on a folder of its own. The folder stays when the drill throws: it is the evidence. */
export async function inDrillFolder<Result>(drill: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'starter-bot-drill-'))
  try {
    const result = await drill(folder)
    rmSync(folder, { recursive: true, force: true })
    return result
  } catch (cause) {
    throw new Error(`The drill broke off; its files are in ${folder}`, { cause })
  }
}
