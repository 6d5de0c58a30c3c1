import type { Redis } from '../outbound/redis.ts'
import type { Generations } from './generations.ts'
import { jsonBytes } from './json-bytes.ts'

/** Milliseconds for which a list is fresh, and for which it is still served while a new one is made. */
const FRESH_MS = 60_000
const STALE_MS = 300_000
/** Milliseconds for which one process alone renews a list, while the others serve the old one. */
const TURN_MS = 10_000
/** Bytes of JSON that a process caches, and the overhead counted per entry. */
const ROOM = 64 * 1024 * 1024
const ENTRY = 1000

/** Lists that are the same for everybody, kept for about a minute. */
export interface Lists {
  /**
   * The value that `make` returns, cached under `name` until it is FRESH_MS old or one of its tags is invalidated. An older value is served
   * up to STALE_MS while a new one is made. Concurrent reads make it once. Values are shared and must not be changed.
   */
  read<Value>(name: string, tags: readonly string[], make: () => Promise<Value>): Promise<Value>
}

/** Caches nothing. */
export const uncached: Lists = { read: (_name, _tags, make) => make() }

/** What a cache depends on. */
export interface CacheParts {
  generations: Generations
  /** Shares lists between processes; without it, or while it is away, each process has its own. */
  redis: Redis | null
  /** Prefix of keys in Redis: the deployment, and the shape of cached values. */
  prefix: string
  now: () => Date
}

interface Kept {
  key: string
  value: unknown
  /** When `make` was called, in Unix milliseconds. */
  madeAt: number
  /** Bytes of its JSON, and of the entry. */
  size: number
}

/** Lists in the memory of this process, and in Redis where there is one. */
export function cachedLists({ generations, redis, prefix, now }: CacheParts): Lists {
  const memory = new Memory()
  const flights = new Map<string, Promise<unknown>>()

  const age = ({ madeAt }: Pick<Kept, 'madeAt'>) => now().getTime() - madeAt
  const isFresh = (kept: Pick<Kept, 'madeAt'>) => age(kept) >= -FRESH_MS && age(kept) < FRESH_MS

  async function shared(key: string): Promise<Kept | null> {
    const text = await redis?.attempt((client) => client.get(prefix + key))
    return text ? readKept(key, text) : null
  }

  /** Whether another process is renewing it. */
  const isTaken = async (key: string) =>
    (await redis?.attempt(async (client) => {
      const expiration = { type: 'PX', value: TURN_MS } as const
      return (await client.set(`${prefix}turn:${key}`, '1', { expiration, condition: 'NX' })) ?? 'taken'
    })) === 'taken'

  async function renew(key: string, old: Kept | null, make: () => Promise<unknown>): Promise<unknown> {
    const theirs = await shared(key)
    if (theirs && isFresh(theirs)) {
      memory.keep(theirs)
      return theirs.value
    }
    const good = old ?? (theirs && age(theirs) < STALE_MS ? theirs : null)
    if (good && (await isTaken(key))) return good.value
    const madeAt = now().getTime()
    const value = await make()
    const json = jsonBytes(value)
    memory.keep({ key, value, madeAt, size: json.length + ENTRY })
    // Searches that find nothing are endless, so they are not shared in Redis.
    const isNothing = Array.isArray(value) && value.length === 0
    const expiration = { type: 'PX', value: STALE_MS } as const
    await redis?.attempt((client): Promise<unknown> => {
      if (isNothing) return client.del(prefix + key)
      return client.set(prefix + key, `{"key":${JSON.stringify(key)},"madeAt":${madeAt},"value":${json}}`, { expiration })
    })
    return value
  }

  function flight(key: string, old: Kept | null, make: () => Promise<unknown>): Promise<unknown> {
    const flying = flights.get(key) ?? renew(key, old, make).finally(() => flights.delete(key))
    flights.set(key, flying)
    return flying
  }

  return {
    async read<Value>(name: string, tags: readonly string[], make: () => Promise<Value>) {
      const generation = generations.of(tags)
      if (generation === null) return make()
      const key = `${name}@${generation}`
      const kept = memory.look(key)
      if (!kept || age(kept) >= STALE_MS) return (await flight(key, null, make)) as Value
      if (!isFresh(kept)) flight(key, kept, make).catch(() => {}) // once it is stale, `read` fails with the error
      return kept.value as Value
    },
  }
}

/** The lists of this process; the least recently used are evicted. */
class Memory {
  #kept = new Map<string, Kept>() // in order of use
  #size = 0

  look(key: string): Kept | null {
    const kept = this.#kept.get(key)
    if (!kept) return null
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    return kept
  }

  keep(kept: Kept): void {
    this.#size += kept.size - (this.#kept.get(kept.key)?.size ?? 0)
    this.#kept.delete(kept.key)
    this.#kept.set(kept.key, kept)
    for (const [key, oldest] of this.#kept) {
      if (this.#size <= ROOM) break
      this.#kept.delete(key)
      this.#size -= oldest.size
    }
  }
}

/** The value of a Redis entry; null unless it is well-formed and names this key. */
function readKept(key: string, text: string): Kept | null {
  try {
    const kept = JSON.parse(text)
    return kept.key === key && Number.isSafeInteger(kept.madeAt) && 'value' in kept ? { ...kept, size: text.length + ENTRY } : null
  } catch {
    return null
  }
}
