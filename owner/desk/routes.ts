import type { Routes } from './call.ts'
import { signInRoutes } from './access/sign-in.ts'

export const routes: Partial<Routes> = { ...signInRoutes }
