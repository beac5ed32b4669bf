type PictureType = 'image/png' | 'image/jpeg'

interface ScaledPicture {
  /** In pixels, of a wider one. */
  width: number
  /** Left out: the picture's own. */
  type?: PictureType
}

/**
 * Returns the picture in this width and type; one that is not wider and has this type is returned
 * as it is. Throws an Error with a sentence for the owner.
 */
export async function scalePicture(file: File, { width, type }: ScaledPicture): Promise<File> {
  if (file.type !== 'image/png' && file.type !== 'image/jpeg') {
    throw new Error('A picture must be a PNG or a JPEG.')
  }
  const scaledType = type ?? file.type
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error('The picture cannot be read.')
  })
  if (bitmap.width <= width && file.type === scaledType) return file
  const scale = Math.min(1, width / bitmap.width)
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(bitmap.width * scale)
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  const context = canvas.getContext('2d')
  // A phone's picture is many times larger: every other pixel would be left out.
  if (context) context.imageSmoothingQuality = 'high'
  context?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  const scaled = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, scaledType, 0.85)
  })
  if (!scaled) throw new Error('The picture cannot be read.')
  return new File([scaled], nameFor(file.name, scaledType), { type: scaledType })
}

function nameFor(name: string, type: PictureType): string {
  return type === 'image/png' ? name.replace(/\.jpe?g$/i, '.png') : name
}
