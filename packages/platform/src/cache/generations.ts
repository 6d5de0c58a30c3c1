import type { EntityManager } from '@mikro-orm/postgresql'
import { listener } from '../listener.ts'

const CHANNEL = 'cache_tag'

/** Which generation of each tag holds. What was kept under an older one is not looked at again, wherever it lies. */
export interface Generations {
  /** One text for the generations of some tags; null while the database cannot be heard: then nothing kept may be trusted. */
  of(tags: readonly string[]): string | null
  close(): Promise<void>
}

/** Makes everything that is kept under some tags old, in every process, once the transaction commits. */
export async function invalidate(em: EntityManager, tags: readonly string[]): Promise<void> {
  await em.execute(INVALIDATE, [JSON.stringify(tags), CHANNEL])
}

const INVALIDATE = `
  with invalidated as (
    insert into cache_tag (tag, generation) select distinct value, 1 from jsonb_array_elements_text(?::jsonb) order by value
    on conflict (tag) do update set generation = cache_tag.generation + 1
    returning tag, generation
  )
  select pg_notify(?, generation || ' ' || tag) from invalidated`

/** Follows the generations of a database. The first question opens the connection. */
export function openGenerations(databaseUrl: string): Generations {
  let known: Map<string, number> | null = null
  let early = new Map<string, number>()
  const learn = (map: Map<string, number>, tag: string, generation: number) => map.set(tag, Math.max(map.get(tag) ?? 0, generation))
  const news = listener(databaseUrl, {
    name: 'cache',
    channel: CHANNEL,
    async connected(client) {
      const { rows } = await client.query<{ tag: string; generation: string }>('select tag, generation from cache_tag')
      for (const { tag, generation } of rows) learn(early, tag, Number(generation))
      known = early // with what was heard while the answer was on its way
    },
    heard(payload) {
      const space = payload.indexOf(' ')
      learn(known ?? early, payload.slice(space + 1), Number(payload.slice(0, space)))
    },
    lost() {
      known = null
      early = new Map()
    },
    wanted: () => true,
  })
  return {
    of(tags) {
      if (!known) {
        news.open()
        return null
      }
      return tags.map((tag) => known!.get(tag) ?? 0).join('.')
    },
    close: () => news.close(),
  }
}
