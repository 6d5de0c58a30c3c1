import type { Platform } from '../site/platform.ts'

interface Kept<Value> {
  from: number
  until: number
  value: Promise<Value>
}

/** Reads a value, or returns the cached one of the same key. `keptMs` is how long a value that is read now stays valid. */
export type ShortCache<Value> = (platform: Platform, key: string, keptMs: number, read: () => Promise<Value>) => Promise<Value>

/**
 * A small cache per deployment for prices that many visitors request at once: at most `most` keys, the oldest dropped first. Concurrent
 * requests of a key share one read. A failure is not cached, and an entry is ignored when the clock is before the time it was read.
 */
export function shortCache<Value>(most: number): ShortCache<Value> {
  const deployments = new WeakMap<Platform, Map<string, Kept<Value>>>()
  return (platform, key, keptMs, read) => {
    const values = deployments.get(platform) ?? new Map<string, Kept<Value>>()
    deployments.set(platform, values)
    const now = platform.now().getTime()
    const known = values.get(key)
    if (known && known.from <= now && now < known.until) return known.value
    const kept = { from: now, until: now + keptMs, value: read() }
    values.delete(key)
    values.set(key, kept)
    if (values.size > most) values.delete(values.keys().next().value!)
    kept.value.catch(() => {
      if (values.get(key) === kept) values.delete(key)
    })
    return kept.value
  }
}
