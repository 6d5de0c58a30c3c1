import { expect, test } from 'vitest'
import { clientAddress, clientAddresses, trustedProxies } from '../src/client-address.ts'

const proxies = trustedProxies(['10.0.0.0/8', '127.0.0.1', '2001:db8:1::/48'])

test.each([
  ['203.0.113.9', undefined, '203.0.113.9', 'the peer'],
  ['203.0.113.9', '198.51.100.1', '203.0.113.9', 'a header of a peer that is no proxy is not believed'],
  ['10.1.2.3', '198.51.100.1', '198.51.100.1', 'the hop before a proxy'],
  [
    '10.1.2.3',
    '6.6.6.6, 198.51.100.1, 10.9.9.9',
    '198.51.100.1',
    'the right-most hop that is no proxy: what stands before it anybody can write',
  ],
  ['10.1.2.3', 'nonsense', '10.1.2.3', 'a hop that is no address ends the walk'],
  ['10.1.2.3', '10.0.0.1', '10.0.0.1', 'proxies only: the first of them'],
  ['::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1', 'IPv4 wrapped in IPv6 is IPv4'],
  ['2001:db8:7:8:9:a:b:c', undefined, '2001:db8:7:8/64', 'IPv6 by its /64'],
  ['2001:db8:7:8::1', undefined, '2001:db8:7:8/64', 'the same network, written short'],
  ['2001:db8:1::5', '2001:DB8::1', '2001:db8:0:0/64', 'an IPv6 hop behind an IPv6 proxy'],
  ['::1', undefined, '0:0:0:0/64', 'loopback'],
])('%s with %s is %s: %s', (peer, forwarded, expected, _why) => {
  expect(clientAddress(peer, forwarded, proxies)).toBe(expected)
})

test('the cache returns what would be computed, however many clients there are', () => {
  const remembered = clientAddresses(proxies)
  const hops = [
    undefined,
    'nonsense',
    `${'6.6.6.6, '.repeat(20)}198.51.100.1`,
    ...Array.from({ length: 1500 }, (_, n) => `1.1.${n >> 8}.${n & 255}`),
  ]
  for (const peer of ['10.1.2.3', '203.0.113.9']) {
    for (const forwarded of [...hops, ...hops]) expect(remembered(peer, forwarded)).toBe(clientAddress(peer, forwarded, proxies))
  }
})

test('an invalid proxy address is refused at the start', () => {
  expect(() => trustedProxies(['proxy.internal'])).toThrow('not an address: proxy.internal')
})
