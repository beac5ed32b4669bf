/** Width and height in pixels, as a PNG's header has them. */
export function pngSize(png: Uint8Array): { width: number; height: number } {
  const header = new DataView(png.buffer, png.byteOffset, png.byteLength)
  return { width: header.getUint32(16), height: header.getUint32(20) }
}
