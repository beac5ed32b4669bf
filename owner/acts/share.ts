/**
 * "8.7 %", never rounded to nothing or to all. Undefined: there is no whole, or the part is not
 * within it.
 */
export function shareOf(part: number, whole: number, digits = 0): string | undefined {
  if (whole === 0 || part > whole) return undefined
  const percent = (100 * part) / whole
  const least = 10 ** -digits
  if (part > 0 && percent < least / 2) return `<${least} %`
  if (part < whole && percent >= 100 - least / 2) return `>${100 - least} %`
  return `${percent.toFixed(part === 0 || part === whole ? 0 : digits)} %`
}
