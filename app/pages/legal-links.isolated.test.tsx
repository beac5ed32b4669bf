import { describe, expect, test, vi } from 'vitest'
import { renderPages } from './render-pages.tsx'

const brand = vi.hoisted(() => ({ name: 'Bot', copyrightYear: 2025, privacyUrl: '', imprintUrl: '' }))
vi.mock('#content/brand.ts', () => ({ brand }))

const rendered = () =>
  Object.values(
    renderPages({
      startScript: 'start()',
      modules: {},
      font: '/assets/x.woff2',
      kit: [],
    }),
  )

describe('the footer of every page', () => {
  test('links neither privacy notice nor imprint while the owner has none', () => {
    for (const html of rendered()) expect(html).not.toMatch(/Privacy|Imprint|class="legal"/)
  })

  test('links the privacy notice and the imprint that the owner has set', () => {
    Object.assign(brand, { privacyUrl: 'https://x.example/privacy', imprintUrl: 'https://x.example/imprint' })
    for (const html of rendered()) {
      expect(html).toContain('<a href="https://x.example/privacy">Privacy</a>')
      expect(html).toContain('<a href="https://x.example/imprint">Imprint</a>')
    }
  })

  test('links one of them alone', () => {
    Object.assign(brand, { privacyUrl: '', imprintUrl: 'https://x.example/imprint' })
    for (const html of rendered()) expect(html).not.toContain('Privacy')
  })
})
