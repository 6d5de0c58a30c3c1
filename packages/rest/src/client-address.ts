import { BlockList, isIP } from 'node:net'

/** Builds the list of proxies whose `X-Forwarded-For` is believed, from addresses and CIDR ranges. Throws on anything else. */
export function trustedProxies(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address)
    if (!family) throw new Error(`not an address: ${entry}`)
    const type = family === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, type)
    else list.addSubnet(address, Number(prefix), type)
  }
  return list
}

/**
 * Who is calling, as a key for budgets: the peer, or behind trusted proxies the right-most hop that is not one.
 * IPv6 callers are keyed by their /64, because one customer commonly owns all of it.
 */
export function clientAddress(peer: string, forwardedFor: string | undefined, trusted: BlockList): string {
  const hops = (forwardedFor ?? '').split(',').map((hop) => plain(hop.trim()))
  let address = plain(peer)
  while (isTrusted(address, trusted)) {
    const hop = hops.pop()
    if (!hop || !isIP(hop)) break
    address = hop
  }
  return isIP(address) === 6 ? `${network64(address)}/64` : address
}

/** Who is behind requests, as `clientAddress` says. What it said of the same peer and hops is remembered: few say something new each time. */
export function clientAddresses(trusted: BlockList): (peer: string, forwardedFor: string | undefined) => string {
  const known = new Map<string, string>()
  return (peer, forwardedFor) => {
    const said = `${peer} ${forwardedFor ?? ''}`
    const last = known.get(said)
    if (last !== undefined) return last
    const address = clientAddress(peer, forwardedFor, trusted)
    if (known.size >= REMEMBERED) known.clear()
    if (said.length <= USUAL) known.set(said, address)
    return address
  }
}

/** Callers that are remembered, and letters that they and their hops may have. */
const REMEMBERED = 1024
const USUAL = 128

/** `::ffff:1.2.3.4` is the IPv4 address that it wraps. */
const plain = (address: string): string => (/^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address) ? address.slice(7) : address)

const isTrusted = (address: string, trusted: BlockList): boolean => {
  const family = isIP(address)
  return family !== 0 && trusted.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

function network64(address: string): string {
  const [head = '', tail] = address.toLowerCase().split('%')[0]!.split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const groups = tail === undefined ? left : [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
