// Loaded into a product before all else: it asks no DNS server, as in a network that has none.
import dns from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'

const { lookup } = dns
const unknown = Object.assign(new Error('A test asks no real DNS'), { code: 'ENOTFOUND' })
const refuse = () => Promise.reject(unknown)

Object.assign(Resolver.prototype, {
  resolveTxt: refuse,
  resolve4: refuse,
  resolve6: refuse,
  resolveNs: refuse,
})

type Done = (fault: Error | null, found: dns.LookupAddress[]) => void
Object.assign(dns, {
  lookup(name: string, ...rest: [dns.LookupAllOptions, Done]) {
    if (isIP(name) > 0 || name === 'localhost') lookup(name, ...rest)
    else rest[1](unknown, [])
  },
})
