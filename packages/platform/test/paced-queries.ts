import type { EntityManager } from '@mikro-orm/postgresql'
import type { Kysely, KyselyPlugin } from 'kysely'

/** Changes nothing; with a plugin the query builder gets an executor of its own, which can be changed without changing that of the pool. */
const nothing: KyselyPlugin = { transformQuery: ({ node }) => node, transformResult: async ({ result }) => result }

/** The query builder, with a wait before each of its queries. */
export function pacedBuilder<Tables>(builder: Kysely<Tables>, before: (sql: string) => unknown): Kysely<Tables> {
  const paced = builder.withPlugin(nothing)
  const executor = paced.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  executor.executeQuery = async (query, options) => {
    await before(query.sql.replaceAll('"', ''))
    return execute(query, options)
  }
  return paced
}

/** The entity manager, with a wait before each query in SQL text or of the query builder, in its transactions too. */
export const pacedManager = (em: EntityManager, before: (sql: string) => unknown): EntityManager =>
  new Proxy(em, {
    get(target, key) {
      if (key === 'transactional')
        return (work: (em: EntityManager) => unknown) => target.transactional((inner) => work(pacedManager(inner, before)))
      if (key === 'getKysely') return () => pacedBuilder(target.getKysely<unknown>(), before)
      const value = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      if (key !== 'execute') return value.bind(target)
      return async (...query: unknown[]) => {
        await before(String(query[0]))
        return value.apply(target, query)
      }
    },
  })
