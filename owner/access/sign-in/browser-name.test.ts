import { expect, test } from 'vitest'
import { nameOfBrowser } from './browser-name.ts'

test.each([
  {
    name: 'Edge on Windows',
    agent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/149.0 Safari/537.36 Edg/149.0',
  },
  {
    name: 'Chrome on Linux',
    agent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/149.0 Safari/537.36',
  },
  {
    name: 'Chrome on iOS',
    agent: 'Mozilla/5.0 (iPad; CPU OS 19_0 like Mac OS X) CriOS/149.0 Safari/604.1',
  },
  {
    name: 'Firefox on Android',
    agent: 'Mozilla/5.0 (Android 16; Mobile; rv:149.0) Gecko/149.0 Firefox/149.0',
  },
  {
    name: 'Firefox on iOS',
    agent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) FxiOS/149.0 Safari/604.1',
  },
  {
    name: 'Safari on iOS',
    agent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1',
  },
  {
    name: 'Safari on macOS',
    agent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/19.0 Safari/605.1',
  },
  { name: 'A browser', agent: 'curl/8.0' },
  { name: 'A browser', agent: undefined },
])('$agent is named $name', ({ name, agent }) => {
  expect(nameOfBrowser(agent)).toBe(name)
})
