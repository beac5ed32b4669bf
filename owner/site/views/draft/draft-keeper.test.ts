import { expect, test } from 'vitest'
import { DraftKeeper, type SaveAnswer, tabsWithTexts, type TypedText } from './draft-keeper.ts'

const path = 'brand.name'
const taken: SaveAnswer = { before: 4, revision: 5, conflicts: [], unknown: [] }

/** A keeper at a desk that answers as it is told. */
function keeperAt(
  answer: (texts: TypedText[]) => SaveAnswer | Promise<SaveAnswer>,
  storage = memoryStorage(),
  tab = 'one',
) {
  const saved: TypedText[][] = []
  const keeper = new DraftKeeper({
    storage,
    tab,
    async save(texts) {
      const answered = await answer(texts)
      saved.push(texts)
      return answered
    },
    onSaved: () => {},
    onUnknown: () => {},
  })
  return { keeper, saved, storage }
}

function memoryStorage() {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
    key: (index: number) => [...items.keys()][index] ?? null,
    get length() {
      return items.size
    },
  }
}

const away = () => Promise.reject(new Error('away'))

test('what is typed while a save is under way is saved after it', async () => {
  const answers = Promise.withResolvers<SaveAnswer>()
  const { keeper, saved } = keeperAt(() => (saved.length === 0 ? answers.promise : taken))
  keeper.type(path, 'Tu', 4)
  const flushed = keeper.flush()
  keeper.type(path, 'Turn', 4)
  answers.resolve(taken)
  await flushed
  expect(saved.flat()).toEqual([
    { path, value: 'Tu', revision: 4 },
    { path, value: 'Turn', revision: 5 },
  ])
  expect(keeper.read().status).toBe('saved')
})

test('what the desk did not take is kept in the browser, and saved by the next tab', async () => {
  const { keeper, storage } = keeperAt(away)
  keeper.type(path, 'Turn', 4)
  await keeper.flush()
  expect(keeper.read().status).toBe('not-saved')
  const next = keeperAt(() => taken, storage, 'two')
  next.keeper.adopt('one')
  await next.keeper.flush()
  expect(next.saved.flat()).toEqual([{ path, value: 'Turn', revision: 4 }])
  expect(storage.length).toBe(0)
})

test('a tab forgets nothing of what another one of this browser has not saved', async () => {
  const { keeper, storage } = keeperAt(away)
  keeper.type(path, 'Turn', 4)
  await keeper.flush()
  const other = keeperAt(() => taken, storage, 'two')
  other.keeper.type(path, 'Dip', 4)
  other.keeper.adopt('one')
  await other.keeper.flush()
  expect(other.saved.flat()).toEqual([{ path, value: 'Dip', revision: 4 }])
  expect(tabsWithTexts(storage)).toEqual(new Set(['one']))
  const next = keeperAt(() => changedElsewhere, storage, 'three')
  next.keeper.adopt('one')
  await next.keeper.flush()
  expect(next.keeper.read()).toMatchObject({
    status: 'to-choose',
    typed: { [path]: { value: 'Turn' } },
  })
})

const changedElsewhere: SaveAnswer = {
  before: 7,
  revision: 7,
  conflicts: [{ path, theirs: 'Dip', changedAt: 1 }],
  unknown: [],
}

test('of two texts mine is saved once it is chosen, over theirs', async () => {
  const { keeper, saved } = keeperAt(() => (saved.length === 0 ? changedElsewhere : taken))
  keeper.type(path, 'Turn', 4)
  await keeper.flush()
  expect(keeper.read()).toMatchObject({
    status: 'to-choose',
    conflicts: { [path]: { theirs: 'Dip' } },
  })
  await keeper.flush()
  expect(saved).toHaveLength(1)
  keeper.keepMine(path)
  await keeper.flush()
  expect(saved.at(-1)).toEqual([{ path, value: 'Turn', revision: 7 }])
  expect(keeper.read().status).toBe('saved')
})

test('of two texts theirs is taken, and nothing is saved', async () => {
  const { keeper, saved, storage } = keeperAt(() => changedElsewhere)
  keeper.type(path, 'Turn', 4)
  await keeper.flush()
  keeper.takeTheirs(path)
  await keeper.flush()
  expect(saved).toHaveLength(1)
  expect(keeper.read()).toEqual({ typed: {}, conflicts: {}, status: 'saved' })
  expect(storage.length).toBe(0)
})
