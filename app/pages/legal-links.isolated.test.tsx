import { describe, expect, test, vi } from 'vitest'
import { renderPages } from './render-pages.tsx'

const brand = vi.hoisted(() => ({ name: 'Bot', copyrightYear: 2025, privacyUrl: '', imprintUrl: '' }))
vi.mock('#content/brand.ts', () => ({ brand }))

function renderWith(links: { privacyUrl: string; imprintUrl: string }): string[] {
  Object.assign(brand, links)
  const sources = { startScript: 'start()', modules: {}, fonts: [{ url: '/assets/x.woff2' }], kit: [] }
  return Object.values(renderPages(sources))
}

describe('the footer of every page', () => {
  test('links neither privacy notice nor imprint while the owner has none', () => {
    for (const html of renderWith({ privacyUrl: '', imprintUrl: '' }))
      expect(html).not.toMatch(/Privacy|Imprint|class="legal"/)
  })

  test('links the privacy notice and the imprint that the owner has set', () => {
    const links = { privacyUrl: 'https://x.example/privacy', imprintUrl: 'https://x.example/imprint' }
    for (const html of renderWith(links)) {
      expect(html).toContain('<a href="https://x.example/privacy">Privacy</a>')
      expect(html).toContain('<a href="https://x.example/imprint">Imprint</a>')
    }
  })

  test('links one of them alone', () => {
    for (const html of renderWith({ privacyUrl: '', imprintUrl: 'https://x.example/imprint' })) {
      expect(html).not.toContain('Privacy')
      expect(html).toContain('Imprint')
    }
  })
})
