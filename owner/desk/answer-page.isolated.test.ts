import { readFileSync } from 'node:fs'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { ownerMailText } from '#content/owner-mail.ts'
import { configOf } from '../command-line/owned-database.ts'
import { messageOf } from '../weekly-report/send-once.ts'
import { answerPage } from './answer-page.ts'

vi.mock('#server/configuration/project-files.ts', async (importActual) => ({
  ...(await importActual<object>()),
  nameCommands: (text: string) => text.replaceAll('npm run owner --', './starter-bot owner'),
  listProjectFiles: () => [],
  readProjectFile: (path: string) =>
    path.endsWith('index.html')
      ? readFileSync(join(import.meta.dirname, 'pages/index.html'))
      : Buffer.from('{"styleHashes":[],"scriptHashes":[]}'),
}))

test('in a release the page of the desk names the commands of the release', async () => {
  const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET' })
  const { body } = (await answerPage(request, '/desk', 'https://bot.example'))!
  expect(body.toString()).toContain('data-owner-command="./starter-bot owner"')
  expect(body.toString()).not.toContain('npm run')
})

test('in a release mail to the owner names the commands of the release', () => {
  const paragraphs = ownerMailText.storm.closing('today')
  const config = configOf({ environment: {} })
  const deps = { config, ownerEmail: 'owner@example.org', secret: 'key', now: () => 0 }
  const { text } = messageOf(deps, 'storm', { subject: '', paragraphs })
  expect(text).toContain('"./starter-bot owner storm on"')
  expect(text).not.toContain('npm run')
})
