import { readConfig } from '#server/config.ts'
import type { Outside } from './command.ts'
import { checkDatabase } from './doctor-database.ts'
import { checkMail } from './doctor-mail.ts'
import { checkSettings } from './doctor-settings.ts'

export interface Finding {
  /** `unknown`: it cannot be looked at from here. */
  state: 'ok' | 'look' | 'wrong' | 'unknown'
  what: string
  /** For the owner, where something is to be done. */
  advice?: string
}

const signs = { ok: 'ok     ', look: 'LOOK   ', wrong: 'WRONG  ', unknown: 'unknown' }

/** Resolves to the exit code: 1 when something is wrong. */
export async function doctor({ environment, now, write }: Outside): Promise<number> {
  let wrong = 0
  const show = async (findings: readonly Finding[]) => {
    for (const { state, what, advice } of findings) {
      if (state === 'wrong') wrong += 1
      await write(`${signs[state]}  ${what}\n${advice ? `         -> ${advice}\n` : ''}`)
    }
  }
  const read = readConfig(environment)
  if ('faults' in read) {
    const advice = 'correct it in the environment; .env.example explains each variable'
    await show(read.faults.map((what) => ({ state: 'wrong', what, advice })))
    return 1
  }
  await show(checkSettings(read.config))
  await show(await checkDatabase(read.config, now()))
  await show(await checkMail(read.config))
  await write(
    wrong === 0 ? 'Nothing is wrong.\n' : `${wrong} ${wrong === 1 ? 'thing is' : 'things are'} wrong.\n`,
  )
  return wrong === 0 ? 0 : 1
}
