// The usual way: the same components rendered by the browser alone, inside what a client-rendered site usually carries.
// packages.d.ts declares no types, so the values that the packages pass to our components are typed here.
import * as Toast from '@radix-ui/react-toast'
import * as Tooltip from '@radix-ui/react-tooltip'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { BrowserRouter, Route, Routes } from 'react-router-dom'
import { Toaster } from 'sonner'
import { App } from '#pages/app.tsx'
import { readPageValues } from '#pages/page-values.ts'
import { QuestionForm } from './question-form.tsx'

const queries = new QueryClient()

const app = document.getElementById('app')
if (app) {
  const values = readPageValues(document, app)
  const screen = (page: 'landing' | 'not-found') => <App page={page} values={values} parts={{}} />
  createRoot(app).render(
    <QueryClientProvider client={queries}>
      <Tooltip.Provider>
        <Toast.Provider>
          <BrowserRouter>
            <Routes>
              <Route path="/" element={screen('landing')} />
              <Route path="*" element={screen('not-found')} />
            </Routes>
          </BrowserRouter>
          <QuestionForm anonKey={values.anonKey} />
          <Toast.Viewport />
        </Toast.Provider>
      </Tooltip.Provider>
      <Toaster />
    </QueryClientProvider>,
  )
}
