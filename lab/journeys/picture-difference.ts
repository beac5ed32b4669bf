import type { Page } from 'playwright-core'

/**
 * From 0 to 1; 1 for pictures of different size. The browser decodes them, so no library is needed.
 */
export async function shareOfDifferentPixels(
  page: Page,
  one: Buffer,
  other: Buffer,
): Promise<number> {
  return page.evaluate(compare, [one.toString('base64'), other.toString('base64')])
}

/** Runs in the page. */
async function compare(pictures: string[]): Promise<number> {
  const visibleStep = 24 // of 255; smaller steps come from smoothed edges
  const images = pictures.map((base64) =>
    Object.assign(new Image(), { src: `data:image/png;base64,${base64}` }),
  )
  await Promise.all(images.map((image) => image.decode()))
  const [{ width, height }, other] = [images[0]!, images[1]!]
  if (width !== other.width || height !== other.height) return 1
  const context = new OffscreenCanvas(width, height).getContext('2d')!
  for (const image of images) {
    context.drawImage(image, 0, 0)
    context.globalCompositeOperation = 'difference' // of the second one from the first
  }
  const { data } = context.getImageData(0, 0, width, height)
  let different = 0
  for (let at = 0; at < data.length; at += 4) {
    if (Math.max(...data.subarray(at, at + 3)) > visibleStep) different += 1
  }
  return different / (width * height)
}
