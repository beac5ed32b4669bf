/**
 * One line by RFC 4180. Spreadsheets run what begins with one of these as a formula, in quotes too; an apostrophe before
 * it makes it text.
 */
export function csvLine(fields: readonly string[]): string {
  return `${fields.map((field) => quoted(/^[=+\-@\t\r]/.test(field) ? `'${field}` : field)).join(',')}\r\n`
}

function quoted(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}
