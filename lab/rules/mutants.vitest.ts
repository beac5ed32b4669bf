import { defineConfig } from 'vitest/config'
import { noTests, unitTests } from '../../vitest.config.ts'

// Stryker runs one project, and gives each runner a core.
export default defineConfig({
  test: {
    ...unitTests,
    maxWorkers: 1,
    include: [process.env['MUTANTS_TESTS'] ?? '**/*.test.ts'],
    exclude: [
      ...noTests, // slow tests of a room count: those of the backup run its half for PostgreSQL
      '**/open-sqlite.test.ts', // it runs the code as a user who may not read Stryker's copy
    ],
    // Most faults are caught by a wait that never ends. On a busy machine a good one takes 10 s.
    expect: { poll: { timeout: 20_000, interval: 10 } },
  },
})
