import { describe, expect, test } from 'vitest'
import type { CheckUp } from './check-up.ts'
import { checkUpLine } from './ready-lines.ts'

const facts = { isDue: true, isAtMachine: false, isOpenedThere: false }

function checked(state: 'wrong' | 'look' | 'unknown', ...ids: string[]): CheckUp {
  const findings = ids.map((id) => ({ id, state, what: `${id} is ${state}.`, why: '' }))
  return { state: 'done', startedAt: 1, finishedAt: 2, findings }
}

describe('the line of the check-up', () => {
  test.each([
    'database.integrity',
    'mail.connects',
    'site.answers',
    'site.one-click',
    'dns.spf',
    'configuration.public-url',
    'configuration.sender',
    'content.legal-pages',
  ])('holds the page back while %s is wrong', (id) => {
    expect(checkUpLine(checked('wrong', id), facts)).toMatchObject({
      state: 'wrong',
      tag: '1 wrong',
      words: `1 thing is wrong: ${id} is wrong.`,
      obstacle: 'the check-up found 1 fault',
    })
  })

  test.each(['look', 'unknown'] as const)('holds nothing back that is a %s', (state) => {
    expect(checkUpLine(checked(state, 'dns.dmarc', 'mail.encrypted'), facts).obstacle).toBe('')
  })

  test('counts what is worth a look', () => {
    expect(checkUpLine(checked('look', 'dns.dmarc', 'dns.spf'), facts)).toMatchObject({
      state: 'look',
      tag: '2 looks',
    })
    expect(checkUpLine(checked('unknown', 'dns.spf'), facts).state).toBe('done')
  })

  test('leaves to the words line what that says', () => {
    const line = checkUpLine(checked('wrong', 'content.placeholders', 'content.about-ours'), facts)
    expect(line).toMatchObject({ state: 'done', obstacle: '' })
  })

  test('waits for mail service and address', () => {
    const line = checkUpLine(checked('wrong', 'mail.connects'), { ...facts, isDue: false })
    expect(line).toMatchObject({ state: 'waiting', obstacle: '' })
  })

  test('holds nothing back while it runs', () => {
    const running: CheckUp = { state: 'running', startedAt: 1, finishedAt: null, findings: [] }
    expect(checkUpLine(running, facts)).toMatchObject({ tag: 'running', obstacle: '' })
  })

  test('does not believe a server that cannot reach itself where the owner has reached it', () => {
    const isOpenedThere = { ...facts, isOpenedThere: true }
    expect(checkUpLine(checked('wrong', 'site.answers'), isOpenedThere)).toMatchObject({
      state: 'look',
      obstacle: '',
    })
    expect(checkUpLine(checked('wrong', 'dns.spf'), isOpenedThere).obstacle).not.toBe('')
  })

  test('at the machine itself the way from the internet holds nothing back, but mail does', () => {
    const isAtMachine = { ...facts, isAtMachine: true }
    const ofTheWay = checked('wrong', 'configuration.public-url', 'site.answers', 'dns.spf')
    expect(checkUpLine(ofTheWay, isAtMachine)).toMatchObject({ state: 'look', obstacle: '' })
    expect(checkUpLine(checked('wrong', 'mail.login'), isAtMachine).obstacle).not.toBe('')
  })
})
