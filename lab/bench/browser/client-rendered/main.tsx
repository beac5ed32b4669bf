// The usual way: an empty page, and the browser renders it from JavaScript. bundle.ts puts live-part.tsx in the place of
// static-part.tsx, so that all components run here.
import { createRoot } from 'react-dom/client'
import { App } from '#pages/app.tsx'
import { readPageValues } from '#pages/page-values.ts'

const app = document.getElementById('app')
if (app) createRoot(app).render(<App page="landing" values={readPageValues(document, app)} parts={{}} />)
