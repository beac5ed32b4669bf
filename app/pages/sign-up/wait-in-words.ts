import { signUpText } from '#content/sign-up.ts'

/** "15 minutes", in the last minute "42 seconds"; rounded up, so that nobody comes too early. */
export function waitInWords(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  const { minutes, seconds: secondWords } = signUpText.note
  return seconds > 60 ? counted(Math.ceil(seconds / 60), minutes) : counted(seconds, secondWords)
}

function counted(count: number, [one, many]: readonly [string, string]): string {
  return `${count} ${count === 1 ? one : many}`
}
