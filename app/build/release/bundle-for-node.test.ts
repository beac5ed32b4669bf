import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as kysely from 'kysely'
import { expect, test } from 'vitest'
import { bundleServer, packPackages } from './bundle-for-node.ts'

test('a packed package needs no other file and exports what its own files export', async () => {
  const files = await packPackages(join(import.meta.dirname, '../../..'))
  expect(Object.keys(files)).toEqual(['kysely.cjs', 'nodemailer.cjs'])
  const folder = mkdtempSync(join(tmpdir(), 'packages-'))
  try {
    for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), code)
    const load = createRequire(join(folder, 'from-here.cjs'))
    const packed = load('./kysely.cjs')
    expect(Object.keys(packed).toSorted()).toEqual(Object.keys(kysely).toSorted())
    const transport = load('./nodemailer.cjs').createTransport({ streamTransport: true, buffer: true })
    const { message } = await transport.sendMail({
      from: 'a@example.com',
      to: 'b@example.com',
      text: 'Hello',
    })
    expect(message.toString()).toContain('Hello')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the executable loads modules of Node also where it does not know its own path', async () => {
  const { 'start.mjs': program } = await bundleServer(join(import.meta.dirname, '../../..'), true)
  expect(String(program).match(/createRequire\(.*?\)/g)).toEqual(['createRequire("/")'])
})
