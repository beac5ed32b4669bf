/** A script's text for display, with plain line ends. */
export function asShown(script: Uint8Array): string {
  return new TextDecoder().decode(script).replaceAll(/\r\n?/g, '\n')
}
