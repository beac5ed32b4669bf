import { accessSync, constants, statfsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

/** Folders without tests of ours. Below `test-artefacts` stand copies of the project. */
export const noTests = [
  '**/node_modules/**',
  'dist/**',
  'data/**',
  'release/**',
  'test-artefacts/**',
]

const cores = availableParallelism()

const quiet = {
  // Node prints this warning until 24.15, and tests read what child processes print.
  NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
}

const everyProject = {
  env: { ...quiet, ...filesInMemory() },
  // Files that run one after another in a process share its modules: to load them took a third of
  // the time.
  isolate: false,
  taskTitleValueFormatTruncate: 0, // a title with a `$value` can be read alone
  // For a busy machine. A test that hangs still fails, and no test measures time by it.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 100_000, interval: 10 } },
}

export const unitTests = {
  ...everyProject,
  name: 'unit',
  include: ['**/*.test.{ts,tsx}'],
  exclude: [...noTests, '**/*.slow.*'],
  setupFiles: [
    'lab/rules/end-worker.ts',
    'lab/rules/every-test.ts',
    'lab/rules/note-processor-time.ts',
    'lab/rules/note-statements.ts',
  ],
  // TEST_ENGINE=postgres: on a throw-away server instead of SQLite
  globalSetup: ['lab/rigs/database/test-engine.ts'],
  maxWorkers: cores + 1, // they wait for databases, processes and clocks half of their time
}

const journeys = {
  ...everyProject,
  name: 'e2e',
  include: ['lab/journeys/**/*.e2e.ts'],
  exclude: ['**/*.slow.*'],
  setupFiles: ['lab/rules/end-worker.ts', 'lab/rules/note-processor-time.ts'],
  // Two cores run one browser well, and several badly.
  maxWorkers: 1,
}

/** A file named `*.engines.*` runs on SQLite, in `unit`, and on PostgreSQL. */
const onPostgres = { ...unitTests, name: 'pg', include: ['**/*.engines.test.ts'] }

/**
 * A file named `*.slow.*` belongs to the second tier. The projects of one group run at the same
 * time. In the first tier a browser has the machine to itself; in the second it shares two cores
 * with one other, because many of its tests wait for a product.
 */
const groups: TestProjectInlineConfiguration['test'][][] = [
  [journeys],
  [unitTests, onPostgres],
  [
    {
      ...journeys,
      name: 'e2e-slow',
      include: ['lab/journeys/**/*.slow.e2e.ts'],
      exclude: [],
      maxWorkers: cores,
    },
  ],
  [
    {
      ...unitTests,
      name: 'unit-slow',
      include: ['**/*.slow.test.{ts,tsx}'],
      exclude: noTests,
      env: quiet, // releases and images are too large for the memory
    },
  ],
]

/**
 * Temporary files in memory, if there is room: otherwise each commit of a test waits for a disk.
 */
export function filesInMemory(): { TMPDIR?: string } {
  const folder = '/dev/shm'
  try {
    accessSync(folder, constants.W_OK)
  } catch {
    return {}
  }
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > 2_000_000_000 ? { TMPDIR: folder } : {}
}

export default defineConfig({
  test: {
    projects: groups.flatMap((group, groupOrder) =>
      group.map((test) => ({ test: { ...test, sequence: { groupOrder } } })),
    ),
  },
})
