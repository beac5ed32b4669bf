import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { brand } from '#content/brand.ts'
import { type Config, type Environment, readSettings } from '#server/settings/config.ts'

const root = join(import.meta.dirname, '../..')

/** Variables of other programs that the documents name. */
const others = [
  'TEST_ENGINE', // of the tests
  'CHROME_PATH', // of lab/rigs/browser.ts
  'UPDATE_PICTURES',
  'AF_INET',
  'AF_INET6',
  'AF_UNIX', // systemd's names of address families
  'THE_TOKEN', // stands for a value
]

const example = exampleOf()
const read = observeReading()

describe('a variable that app/server/settings/config.ts reads', () => {
  test('is documented in .env.example', () => {
    expect(read.filter((name) => !(name in example))).toEqual([])
  })

  test('is read by no other file of app/server/ and owner/', () => {
    const lookers = globSync('{server,{app/server,owner}/**/*}.ts', { cwd: root })
      .filter(
        (path) => !path.endsWith('.test.ts') && /\bprocess\.env\b|node:process/.test(textOf(path)),
      )
      .map((path) => path.replaceAll('\\', '/'))
    // They hand it to config.ts.
    const readers = [
      'owner/conditions/check-up/check-up-thread.ts',
      'owner/start/main.ts',
      'server.ts',
    ]
    expect(lookers.toSorted()).toEqual(readers)
  })
})

describe('a variable in .env.example', () => {
  test('is read by app/server/settings/config.ts', () => {
    expect(Object.keys(example).filter((name) => !read.includes(name))).toEqual([])
  })

  test('is shown with its default', () => {
    const wrong = Object.entries(example).filter(([name, value]) => {
      // The sender's name is the owner's to change, in content/brand.ts alone.
      const shown = name === 'MAIL_FROM' ? value.replace('Starter Bot', brand.name) : value
      return !isDeepStrictEqual(valuesOf({ [name]: shown }), valuesOf({}))
    })
    expect(wrong).toEqual([])
  })

  test('counts as unset when it is empty', () => {
    const empty = Object.fromEntries(Object.keys(example).map((name) => [name, '']))
    expect(configOf(empty)).toEqual(configOf({}))
  })
})

test('a variable that a document or a text names is read by app/server/settings/config.ts', () => {
  const known = new Set([...read, ...others])
  const files = globSync(['*.md', 'docs/**/*', 'content/**/*.ts'], { cwd: root }).filter(isText)
  const unknown = files.flatMap((path) =>
    variablesIn(textOf(path))
      .filter((name) => !known.has(name))
      .map((name) => `${path}: ${name}`),
  )
  expect(unknown).toEqual([])
})

function variablesIn(text: string): string[] {
  const named = text.match(/\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)+\b|^ *[A-Z]+(?==\S)/gm) ?? []
  return named.map((name) => name.trim())
}

/** Every name that readSettings asks for, whatever is set. */
function observeReading(): string[] {
  const asked = new Set<string>()
  for (const environment of [{}, { NODE_ENV: 'production' }, example]) {
    readSettings(
      new Proxy<Environment>(environment, {
        get: (all, name) => {
          asked.add(String(name))
          return all[String(name)]
        },
      }),
    )
  }
  return [...asked]
}

/** Every variable that .env.example shows, with its value. */
function exampleOf(): Record<string, string> {
  const lines = textOf('.env.example').matchAll(/^#? *([A-Z][A-Z\d_]*)=(.*)$/gm)
  return Object.fromEntries(Array.from(lines, ([, name = '', value = '']) => [name, value]))
}

/** All but the names that are set. */
function valuesOf(environment: Environment): Omit<Config, 'source'> {
  const { source: _source, ...values } = configOf(environment)
  return values
}

function configOf(environment: Environment): Config {
  const result = readSettings(environment)
  if ('faults' in result) throw new Error(result.faults.join('\n'))
  return result.config
}

function isText(path: string): boolean {
  return /\.(?:md|ts|service|conf)$|Caddyfile$/.test(path)
}

function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
