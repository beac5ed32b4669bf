import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('the lockfile has the address of every package, so that npm asks the registry about none', () => {
  const fromRegistry = Object.entries(lockedPackages()).filter(([path]) => path !== '')
  expect(fromRegistry.length).toBeGreaterThan(100)
  expect(
    fromRegistry.filter(([, { resolved }]) => !resolved?.startsWith('https://registry.npmjs.org/')),
  ).toEqual([])
})

test('what a start installs exists for Alpine, for ARM and for Windows on ARM', () => {
  const native = Object.entries(lockedPackages()).filter(([, { os, dev }]) => os && !dev)
  const platforms = native.map(([path]) => path.replace(/^node_modules\/@?/, ''))
  for (const name of ['rolldown/binding', 'lightningcss']) {
    for (const platform of [
      'linux-x64-musl',
      'linux-arm64-musl',
      'linux-arm64-gnu',
      'linux-arm-gnueabihf',
      'darwin-arm64',
      'win32-arm64-msvc',
    ]) {
      expect(platforms).toContain(`${name}-${platform}`)
    }
  }
  const others = platforms.filter((name) => !/^(rolldown|lightningcss|fsevents)/.test(name))
  expect(others).toEqual([])
})

interface LockedPackage {
  resolved?: string
  integrity?: string
  os?: string[]
  dev?: true
}

function lockedPackages(): Record<string, LockedPackage> {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'package-lock.json'), 'utf8')).packages
}
