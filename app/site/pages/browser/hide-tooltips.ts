/**
 * A style sheet shows the tooltip of a term on hover and focus; Escape hides it until the next one.
 */
export function hideTooltipsOnEscape(): void {
  const { classList } = document.documentElement
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') classList.add('tips-hidden')
  })
  for (const event of ['pointerover', 'focusin']) {
    document.addEventListener(event, () => classList.remove('tips-hidden'))
  }
}
