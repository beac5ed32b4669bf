import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import '#owner/desk/views/theme/global.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { createRoot } from 'react-dom/client'
import { ApiProvider } from '#owner/desk/views/proof/api-provider.tsx'
import { followLinks } from '#owner/desk/views/navigation/location.ts'
import { Desk } from './desk.tsx'
import { ProofProvider } from '#owner/desk/views/proof/proof-context.tsx'
import { resolveVariables, theme } from '#owner/desk/views/theme/theme.ts'
import type { deskRouter } from '../router.ts'

// The rooms import the desk: if it imported their routers, all would import each other.
declare module '#owner/desk/views/api/trpc.ts' {
  interface DeskApi {
    router: typeof deskRouter
  }
}

followLinks()
createRoot(document.getElementById('app')!).render(
  <MantineProvider theme={theme} cssVariablesResolver={resolveVariables} defaultColorScheme="auto">
    <Notifications position="bottom-right" />
    <ProofProvider>
      <ApiProvider>
        <Desk />
      </ApiProvider>
    </ProofProvider>
  </MantineProvider>,
)
