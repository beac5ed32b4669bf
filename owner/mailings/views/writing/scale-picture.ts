import { widestPicture } from '#owner/mailings/letters/picture-limits.ts'

/** A mail shows a picture at half this width at most. A smaller one stays as it is. */
export async function scalePicture(file: File): Promise<Blob> {
  const type = file.type
  if (type !== 'image/png' && type !== 'image/jpeg') {
    throw new Error('A picture must be a PNG or a JPEG.')
  }
  const bitmap = await createImageBitmap(file)
  if (bitmap.width <= widestPicture) return file
  const canvas = document.createElement('canvas')
  canvas.width = widestPicture
  canvas.height = Math.round((bitmap.height * widestPicture) / bitmap.width)
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) => {
    const finish = (scaled: Blob | null) =>
      scaled ? resolve(scaled) : reject(new Error('The picture cannot be read.'))
    canvas.toBlob(finish, type, 0.85)
  })
}

export async function asBase64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
