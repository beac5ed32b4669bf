import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Command } from 'commander'
import { builtFiles } from '#server/project-files.ts'
import { storePublication } from '#server/site/publish.ts'
import { openRenderer } from '#server/site/renderer-client.ts'
import type { Finding } from '#site/words/finding.ts'
import type { CommandContext } from '#owner/acts/command-context.ts'
import { CommandError } from '#owner/acts/errors.ts'
import { writeNewFile } from '#owner/acts/terminal/new-file.ts'
import { addCommand } from '#owner/acts/terminal/options.ts'
import { withDatabase } from '#owner/acts/owned-database.ts'
import { recordPublished } from '../publish-draft.ts'
import { exportContent, readContentFile } from './content-file.ts'

export function addContentCommands(program: Command, context: CommandContext): void {
  const content = program
    .command('content')
    .description('The page as you published it: its texts and files in one file')
  const exporting = 'Write what you published, with its files, as JSON'
  addCommand(content, 'export', exporting, 'data/page.json')
    .argument('<FILE>', 'A new file')
    .action((path: string) => writeExport(context, path))
  const importing = 'Publish such a file. A running server shows it within 10 seconds'
  addCommand(content, 'import', importing, 'data/page.json')
    .argument('<FILE>', 'The file of an export')
    .action((path: string) => importContent(context, path))
}

async function writeExport(context: CommandContext, path: string): Promise<void> {
  const text = await withDatabase(context, ({ database }) => exportContent(database))
  await writeNewFile(path, async (file) => void (await file.write(text)))
  await context.write(`Wrote what is published to ${path}\n`)
}

async function importContent(context: CommandContext, path: string): Promise<void> {
  const publication = readContentFile(await readFile(path, 'utf8'))
  const renderer = context.renderer ?? openRenderer(builtFiles)
  try {
    await withDatabase(context, async ({ database, now }) => {
      const about = `Imported from ${basename(path)}`
      const imported = { ...publication, about, record: recordPublished(now()) }
      const outcome = await storePublication({ database, renderer, now }, imported)
      if (outcome.kind === 'refused') throw new CommandError(refusal(outcome.findings))
    })
  } finally {
    await renderer.close()
  }
  await context.write('Published. Running servers show it within 10 seconds.\n')
}

function refusal(findings: readonly Finding[]): string {
  const lines = findings.map(({ path, message }) => `  - ${path}${path && ': '}${message}`)
  return ['Nothing was published:', ...lines].join('\n')
}
