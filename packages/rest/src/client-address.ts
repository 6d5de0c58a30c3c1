import { BlockList, isIP } from 'node:net'

/** Builds the list of proxies whose `X-Forwarded-For` is trusted, from addresses and CIDR ranges. Throws on anything else. */
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
 * The client's address, as a key for rate limits: the peer, or behind trusted proxies the right-most hop that is not one of them.
 * IPv6 clients are keyed by their /64, which usually belongs to one customer.
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

/** `clientAddress` with a cache by peer and hops, most of which repeat. */
export function clientAddresses(trusted: BlockList): (peer: string, forwardedFor: string | undefined) => string {
  const cache = new Map<string, string>()
  return (peer, forwardedFor) => {
    const key = `${peer} ${forwardedFor ?? ''}`
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const address = clientAddress(peer, forwardedFor, trusted)
    if (cache.size >= CACHE_SIZE) cache.clear()
    if (key.length <= CACHED_KEY_LENGTH) cache.set(key, address)
    return address
  }
}

/** Entries of the cache, and the longest key that is cached. */
const CACHE_SIZE = 1024
const CACHED_KEY_LENGTH = 128

/** Unwraps an IPv4 address mapped to IPv6, such as `::ffff:1.2.3.4`. */
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
