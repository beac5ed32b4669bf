import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isTest } from './figures.ts'
import { importsOfTrackedFiles, listTrackedFiles, root } from './imports.ts'

/** Direct imports that a room must not have, types included. docs/architecture.md has the same table in words. */
const forbidden: [room: string, imports: RegExp][] = [
  ['app/kit/', /^app\/(?!kit\/)/],
  ['app/pages/', /^app\/(?:server|mail|build)\//],
  ['app/pages/ui/', /^(?!app\/pages\/ui\/)/],
  ['app/mail/', /^app\/(?:pages|kit|build|server\/(?!transports\/mailer\.ts|http\/escape-html\.ts))/],
  ['app/server/', /^app\/(?:build|kit|pages\/(?!pages\.tsx))/],
  ['app/server/sign-up/', /^app\/(?:mail|server\/(?:transports|personal-page))\//],
  ['app/server/deliveries/', /^app\/server\/(?:http|personal-page)\//],
  ['app/server/transports/', /^app\/server\/(?:database|subscribers|deliveries|sign-up|personal-page)\//],
  ['app/server/personal-page/', /^app\/(?:mail|server\/(?:transports|deliveries|sign-up))\//],
  ['app/server/subscribers/', /^app\/(?:mail|server\/(?:http|transports|sign-up|personal-page))\//],
  [
    'app/server/statistics/',
    /^app\/(?:mail|server\/(?:http|sign-up|deliveries|transports|personal-page|subscribers))\//,
  ],
  [
    'app/server/database/',
    /^app\/(?:mail|server\/(?:http|sign-up|deliveries|transports|personal-page|subscribers|statistics))\//,
  ],
  ['owner/', /^app\/(?:pages\/(?!ui\/)|build\/|server\/sign-up\/(?!(?:limit-windows|storm)\.ts))/],
]

/** The modules of app/server/ that owner/ may import. What else it needs is added to one of them, or named below. */
const doors = new Set([
  'configuration/config.ts',
  'configuration/database-url.ts',
  'configuration/loopback.ts',
  'configuration/project-files.ts',
  'database/database.ts',
  'database/open-database.ts',
  'database/settings.ts',
  'deliveries/backlog.ts',
  'deliveries/lanes.ts',
  'start/extension.ts',
  'start/repeat.ts',
  'statistics/daily-counts.ts',
  'subscribers/erase-subscribers.ts',
  'subscribers/leave-the-list.ts',
  'subscribers/subscribers.ts',
  'transports/open-mailer.ts',
])

/** Doors of one room: a webhook answers HTTP, and the doctor of mail looks into the transports. */
const doorsOfRooms: Record<string, RegExp> = {
  'owner/announcements/': /^deliveries\/mail-templates\.ts$|^http\/escape-html\.ts$|^transports\/mailer\.ts$/,
  'owner/deliveries/bounces/': /^http\/(?:answer|gate|request)\.ts$/,
  'owner/desk/':
    /^http\/(?:answer|compress|gate|load-static-files|request|static-files)\.ts$|^database\/faults\.ts$|^sign-up\/limit-windows\.ts$/,
  'owner/webhooks/': /^deliveries\/(?:claims|worker)\.ts$|^transports\/mail-api\.ts$/,
  'owner/subscribers/': /^(?:database\/faults|deliveries\/deliveries|subscribers\/blocked-addresses)\.ts$/,
  'owner/weekly-report/storm/': /^sign-up\/storm\.ts$/,
  'owner/setup/': /^transports\/mail-api-providers\.ts$/,
  'owner/doctor/mail/': /^transports\/(?:mail-api|mail-api-providers|mailer|smtp-failure)\.ts$/,
  'owner/doctor/check-content.ts': /^configuration\/placeholders\.ts$/,
}

const imports = [...importsOfTrackedFiles()].filter(([file]) => !isTest(file))

test.each(forbidden)('%s imports nothing that it may not: %s', (room, pattern) => {
  const files = imports.filter(([file]) => file.startsWith(room))
  expect(files).not.toEqual([])
  const found = files.flatMap(([file, all]) =>
    [...all].filter((one) => isOurs(one) && pattern.test(one)).map((one) => `${file} -> ${one}`),
  )
  expect(found).toEqual([])
})

test('owner/ reaches app/server/ through its doors only', () => {
  const server = 'app/server/'
  const found = imports
    .filter(([file]) => file.startsWith('owner/'))
    .flatMap(([file, all]) => {
      const rooms = Object.entries(doorsOfRooms).filter(([room]) => file.startsWith(room))
      const inner = [...all].filter((one) => one.startsWith(server)).map((one) => one.slice(server.length))
      return inner
        .filter((one) => !doors.has(one) && !rooms.some(([, pattern]) => pattern.test(one)))
        .map((one) => `${file} -> ${one}`)
    })
  expect(found).toEqual([])
})

test('a test that replaces a module has a process of its own', () => {
  const replaces = (file: string) =>
    /\bvi\.(?:mock|doMock|resetModules)\(/.test(readFileSync(join(root, file), 'utf8'))
  const found = listTrackedFiles().filter(
    (file) => isTest(file) && !file.includes('.isolated.test.') && replaces(file),
  )
  expect(found).toEqual([])
})

function isOurs(path: string): boolean {
  return /^(?:app|content|lab|owner)\/|^[\w-]+\.ts$/.test(path)
}
