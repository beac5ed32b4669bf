import { defineConfig } from 'vitest/config'
import { unitTests } from './vitest.config.ts'
export default defineConfig({ test: { ...unitTests, include: ['owner/announcements/*.test.ts'], exclude: ['**/node_modules/**', 'owner/desk/**'], maxWorkers: 1 } })
