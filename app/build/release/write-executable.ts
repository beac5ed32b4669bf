import { execFileSync, spawnSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeFiles } from '../write-files.ts'
import { releaseFiles } from './write-archive.ts'

const program = 'server/start.mjs'

/** Writes Node with the release inside as one file, and returns its path. It runs where this Node runs. */
export async function writeExecutable(root: string, to: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'starter-bot-executable-'))
  try {
    const { config } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    const files = await releaseFiles(root, true)
    await writeFiles(folder, files)
    await mkdir(to, { recursive: true })
    const output = join(to, 'starter-bot')
    const assets = Object.keys(files).filter((path) => path !== program)
    const settings = {
      main: join(folder, program),
      mainFormat: 'module',
      executable: await stripNode(folder),
      output,
      disableExperimentalSEAWarning: true,
      execArgv: [config.startEnvironment.NODE_OPTIONS], // as run.mjs
      execArgvExtension: 'none', // every word of the command line is ours
      assets: Object.fromEntries(assets.map((path) => [path, join(folder, path)])),
    }
    await writeFile(join(folder, 'sea.json'), JSON.stringify(settings))
    execFileSync(process.execPath, ['--build-sea', join(folder, 'sea.json')], { stdio: 'pipe' })
    return output
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Without its symbols Node is a quarter smaller. Where binutils are missing it stays as it is. */
async function stripNode(folder: string): Promise<string> {
  const node = join(folder, 'node')
  await copyFile(process.execPath, node)
  const { error } = spawnSync('strip', [node])
  if (error) console.log(`The executable keeps Node's symbols: strip cannot be run (${error.message}).`)
  return node
}
