import { defineConfig } from 'vitest/config'
import { unitTests } from '../../vitest.config.ts'

// Stryker runs one project, and gives each runner a core.
export default defineConfig({
  test: {
    ...unitTests,
    maxWorkers: 1,
    include: [process.env['MUTANTS_TESTS'] ?? '**/*.test.ts'],
    exclude: [
      ...unitTests.exclude,
      '**/postgres.test.ts', // which takes half of the time
      '**/open-sqlite.test.ts', // which runs the code as a user who may not read Stryker's copy
    ],
    expect: { poll: { timeout: 6_000, interval: 10 } }, // most faults are caught by a wait that never ends
  },
})
