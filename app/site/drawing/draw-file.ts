import { ContentError } from '../kit/content-error.ts'

/** Draws a file of the owner's. Whatever goes wrong is told as a fault of the file. */
export async function drawFile<Drawn>(
  name: 'guide' | 'icon' | 'chart',
  draw: () => Promise<Drawn>,
): Promise<Drawn> {
  try {
    return await draw()
  } catch (cause) {
    if (cause instanceof ContentError) throw cause
    const message = `The ${name} cannot be drawn: it is damaged, or takes too much memory.`
    throw new ContentError(message, { cause })
  }
}
