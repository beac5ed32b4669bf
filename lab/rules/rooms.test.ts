import { expect, test } from 'vitest'
import { isTest } from './figures.ts'
import { importsOfTrackedFiles } from './imports.ts'

/** What a room never imports directly, types included. docs/architecture.md has the same table in words. */
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
  ['owner/', /^app\/(?:pages|build|server\/sign-up)\//],
]

const imports = [...importsOfTrackedFiles()].filter(([file]) => !isTest(file))

test.each(forbidden)('%s imports nothing that it may not: %s', (room, pattern) => {
  const files = imports.filter(([file]) => file.startsWith(room))
  expect(files).not.toEqual([])
  const found = files.flatMap(([file, all]) =>
    [...all].filter((one) => isOurs(one) && pattern.test(one)).map((one) => `${file} -> ${one}`),
  )
  expect(found).toEqual([])
})

function isOurs(path: string): boolean {
  return /^(?:app|content|lab|owner)\/|^[\w-]+\.ts$/.test(path)
}
