/** Safe as text and as the value of an attribute in double quotes, in HTML and in SVG. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
