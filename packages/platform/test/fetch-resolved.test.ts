import dns, { type LookupAddress, type LookupAllOptions } from 'node:dns'
import { createServer } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { fetchOutside } from '../src/outbound/fetch-outside.ts'

/** Fake DNS: `lookup` asks the system, so a test cannot use a DNS server. */
const names: Record<string, string[]> = {
  'mixed.test': ['1.1.1.1', '10.0.0.1'],
  'mixed-the-other-way.test': ['10.0.0.1', '1.1.1.1'],
  'metadata.test': ['169.254.169.254'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'nothing.test': [],
  'here.test': ['127.0.0.1'],
}
const asked: string[] = []
const { lookup } = dns
dns.lookup = ((name: string, options: LookupAllOptions, answer: (error: Error | null, addresses: LookupAddress[]) => void) => {
  const addresses = names[name]
  if (addresses === undefined) return lookup(name, options, answer) // what this process listens on
  asked.push(name)
  setImmediate(() =>
    answer(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    ),
  )
}) as typeof lookup
syncBuiltinESMExports()
afterAll(() => {
  dns.lookup = lookup
  syncBuiltinESMExports()
})

test.each(['mixed.test', 'mixed-the-other-way.test', 'metadata.test', 'mapped.test', 'nothing.test'])(
  '%s, of whose addresses not all are public, is never asked',
  async (host) => {
    const refused = { name: 'OutboundError', kind: 'forbidden', message: `${host} is not public` }
    await expect(fetchOutside(`https://${host}/`, { hosts: [host] })).rejects.toMatchObject(refused)
    if (host !== 'mapped.test')
      await expect(fetchOutside(`https://${host}/`, { hosts: [host], loopback: true })).rejects.toMatchObject(refused)
  },
)

test('a name is resolved once, and the checked address is connected to', async () => {
  const server = createServer((_, response) => response.end('here'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  asked.length = 0
  const host = `here.test:${(server.address() as AddressInfo).port}`
  expect(await fetchOutside(`http://${host}/`, { hosts: [host], loopback: true })).toEqual({ status: 200, body: 'here' })
  expect(asked).toEqual(['here.test'])
})
