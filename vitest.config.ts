import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** These tests replace a module (`vi.mock`), so each needs its own process. */
const isolatedTests = ['**/*.isolated.test.ts', '**/*.isolated.test.tsx']

/** Folders without tests of ours. Below `test-artefacts` stand copies of the project. */
const noTests = ['**/node_modules/**', 'dist/**', 'data/**', 'release/**', 'test-artefacts/**']

/** For a busy machine. A test that hangs still fails, and no test measures time by it. */
const patient = {
  taskTitleValueFormatTruncate: 0, // a title with a `$value` can be read alone
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 100_000, interval: 10 } },
}

export const unitTests = {
  name: 'unit',
  include: ['**/*.test.ts', '**/*.test.tsx'],
  exclude: [...noTests, ...isolatedTests],
  // Files that run one after another in a process share its modules: to load them took a third of
  // the time.
  isolate: false,
  setupFiles: ['lab/rules/every-test.ts'],
  // TEST_ENGINE=postgres: on a throw-away server instead of SQLite
  globalSetup: ['lab/rigs/database/test-engine.ts'],
  // One worker for each core. More would take time from the browser that runs beside them.
  maxWorkers: availableParallelism(),
  ...patient,
}

export default defineConfig({
  test: {
    projects: [
      { test: unitTests },
      {
        test: {
          ...unitTests,
          name: 'unit-isolated',
          include: isolatedTests,
          exclude: noTests,
          isolate: true,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['lab/journeys/**/*.e2e.ts'],
          // Two cores run one browser well, and several badly.
          fileParallelism: false,
          isolate: false,
          ...patient,
        },
      },
    ],
  },
})
