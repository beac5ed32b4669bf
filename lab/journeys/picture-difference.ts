import type { Page } from 'playwright-core'

/** From 0 to 1; 1 for pictures of different size. The browser decodes them, so no library is needed. */
export async function shareOfDifferentPixels(page: Page, one: Buffer, other: Buffer): Promise<number> {
  return page.evaluate(compare, [one.toString('base64'), other.toString('base64')])
}

/** Runs in the page. */
async function compare(pictures: string[]): Promise<number> {
  const visibleStep = 24 // of 255; smaller steps come from smoothed edges
  const [one, other] = await Promise.all(
    pictures.map(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0)
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
      context?.drawImage(bitmap, 0, 0)
      return context?.getImageData(0, 0, bitmap.width, bitmap.height)
    }),
  )
  if (!one || !other || one.width !== other.width || one.height !== other.height) return 1
  let different = 0
  for (let pixel = 0; pixel < one.data.length; pixel += 4) {
    const step = Math.max(
      ...[0, 1, 2].map((colour) =>
        Math.abs((one.data[pixel + colour] ?? 0) - (other.data[pixel + colour] ?? 0)),
      ),
    )
    if (step > visibleStep) different += 1
  }
  return different / (one.width * one.height)
}
