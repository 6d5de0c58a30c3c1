import { BlockList, isIP } from 'node:net'

/** IPv4 ranges that are not public: private, shared, local, documentation, multicast, reserved. */
const SPECIAL_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/** Parts of the global range of IPv6 that are not public: protocol assignments, documentation, and tunnels, which may lead anywhere. */
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

const special = new BlockList()
const global = new BlockList()
const loopback = new BlockList()
const add = (list: BlockList, ranges: readonly string[], family: 'ipv4' | 'ipv6') => {
  for (const range of ranges) list.addSubnet(range.split('/')[0]!, Number(range.split('/')[1]), family)
}
add(special, SPECIAL_V4, 'ipv4')
add(special, SPECIAL_V6, 'ipv6')
add(global, ['2000::/3'], 'ipv6')
add(loopback, ['127.0.0.0/8'], 'ipv4')
add(loopback, ['::1/128'], 'ipv6')

const familyOf = (address: string) => (({ 4: 'ipv4', 6: 'ipv6' }) as const)[isIP(address)]

/** Whether an IP address is public. Mapped, translated and scoped forms are not. */
export function isGlobal(address: string): boolean {
  const family = familyOf(address)
  if (!family || address.includes('%') || special.check(address, family)) return false
  return family === 'ipv4' || global.check(address, family)
}

/** Whether an IP address is a loopback address. */
export function isLoopback(address: string): boolean {
  const family = familyOf(address)
  return family !== undefined && loopback.check(address, family)
}
