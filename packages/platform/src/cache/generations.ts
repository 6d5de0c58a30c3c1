import { listener } from '@augury/domain/listener'
import type { EntityManager } from '@mikro-orm/postgresql'

const CHANNEL = 'cache_tag'

/** The current generation of each cache tag. Cache keys contain it, so entries of an older generation are never read again. */
export interface Generations {
  /** The generations of some tags as a text; null while the database cannot be reached, when no cached value may be trusted. */
  of(tags: readonly string[]): string | null
  close(): void
}

/** Invalidates everything cached under some tags, in every process, once the transaction commits. */
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

/** Follows the generations of a database. The first call of `of` opens the connection. */
export function openGenerations(databaseUrl: string): Generations {
  let known: Map<string, number> | null = null
  let early = new Map<string, number>()
  const learn = (map: Map<string, number>, tag: string, generation: number) => map.set(tag, Math.max(map.get(tag) ?? 0, generation))
  const news = listener({
    connection: { connectionString: databaseUrl, application_name: 'augury cache' },
    channels: [CHANNEL],
    async connected(client) {
      const { rows } = await client.query<{ tag: string; generation: string }>('select tag, generation from cache_tag')
      for (const { tag, generation } of rows) learn(early, tag, Number(generation))
      known = early // includes notifications that came while the query ran
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
