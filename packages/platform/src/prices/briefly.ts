import type { Platform } from '../platform.ts'

interface Kept<Value> {
  from: number
  until: number
  value: Promise<Value>
}

/** Reads a value, or what was read for the same key within the last moments. `keptMs` is how long what is read now is kept. */
export type Briefly<Value> = (platform: Platform, key: string, keptMs: number, read: () => Promise<Value>) => Promise<Value>

/**
 * Keeps the last `most` values of each deployment by their keys, for prices of which every visitor asks the same at once. Whoever asks for
 * what is being read waits for it with the others; a failure is not kept, nor anything from a future that the clock took back.
 */
export function briefly<Value>(most: number): Briefly<Value> {
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
