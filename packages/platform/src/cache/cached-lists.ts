import type { Redis } from '../redis.ts'
import type { Generations } from './generations.ts'
import { jsonBytes } from './json-bytes.ts'

/** Milliseconds for which a list is given out as it is, and for which it still is while a new one is made. */
const FRESH_MS = 60_000
const STALE_MS = 300_000
/** Milliseconds for which one process alone makes a list that the others have. */
const TURN_MS = 10_000
/** Bytes of JSON that a process keeps, and what an entry costs beyond its own. */
const ROOM = 64 * 1024 * 1024
const ENTRY = 1000

/** Lists that are the same for everybody, kept for about a minute. */
export interface Lists {
  /**
   * What `make` makes. Kept under the name until it is a minute old or one of its tags is turned; older, it is given out once more while
   * a new one is made. However many ask at once, it is made once. Answers are shared: nobody changes them.
   */
  read<Value>(name: string, tags: readonly string[], make: () => Promise<Value>): Promise<Value>
}

/** Keeps nothing. */
export const uncached: Lists = { read: (_name, _tags, make) => make() }

/** What a cache is made over. */
export interface CacheParts {
  generations: Generations
  /** Shared by processes, and of no use alone: without it, or while it is away, each keeps its own. */
  redis: Redis | null
  /** What keys in Redis begin with: the deployment, and the shape of what is kept. */
  prefix: string
  now: () => Date
}

interface Kept {
  key: string
  value: unknown
  /** When its making began, in Unix milliseconds. */
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

  /** Whether another process is at it already. */
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
    // There is no end of questions that find nothing: they are not for all processes to keep.
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
      if (!isFresh(kept)) flight(key, kept, make).catch(() => {}) // whoever asks when it is too old hears of it
      return kept.value as Value
    },
  }
}

/** What this process keeps: the longest unused goes first. */
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

/** What Redis keeps under a key, if it is that: an answer that was meant for another question is not believed. */
function readKept(key: string, text: string): Kept | null {
  try {
    const kept = JSON.parse(text)
    return kept.key === key && Number.isSafeInteger(kept.madeAt) && 'value' in kept ? { ...kept, size: text.length + ENTRY } : null
  } catch {
    return null
  }
}
