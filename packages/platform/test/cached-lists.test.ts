import { eventually } from '@augury/testing/eventually'
import { redisBinary, startRedis } from '@augury/testing/redis-server'
import { afterAll, describe, expect, test } from 'vitest'
import { cachedLists, type Lists } from '../src/cache/cached-lists.ts'
import { type Generations, invalidate, openGenerations } from '../src/cache/generations.ts'
import { jsonBytes } from '../src/cache/json-bytes.ts'
import { openRedis, type Redis } from '../src/outbound/redis.ts'
import { testPlatform } from './test-platform.ts'

const { platform, clock, databaseUrl } = await testPlatform()
const server = redisBinary === null ? null : await startRedis(redisBinary)
if (server === null) process.stderr.write('Redis: not run, this machine has no redis-server\n')
const opened: { close(): unknown }[] = []
afterAll(async () => {
  await Promise.all(opened.map((each) => each.close()))
  await server?.kill()
})

let deployments = 0
/** Processes of a deployment: each with its own connections, sharing a database and optionally a Redis. */
async function processes(count: number, shared: boolean): Promise<Lists[]> {
  const prefix = `test:${++deployments}:`
  return Promise.all(
    Array.from({ length: count }, async () => {
      const generations = openGenerations(databaseUrl)
      opened.push(generations)
      const redis = shared ? await readyRedis() : null
      await hearing(generations)
      return cachedLists({ generations, redis, prefix, now: platform.now })
    }),
  )
}

async function readyRedis(): Promise<Redis> {
  const redis = openRedis(server!.url)
  opened.push(redis)
  await eventually(() => expect(redis.client.isReady).toBe(true))
  return redis
}
const hearing = (generations: Generations) => eventually(() => expect(generations.of(['lists'])).not.toBeNull())

/** A list that counts how often it was computed. */
function counting(pause?: () => Promise<void>) {
  let made = 0
  const make = async () => {
    made++
    await pause?.()
    return [{ title: 'Rain', made }]
  }
  return { make, made: () => made }
}

const kinds: [string, boolean][] = [
  ['in memory', false],
  ['in memory and Redis', true],
]

describe.each(kinds.filter(([, shared]) => !shared || server !== null))('lists %s', (_, shared) => {
  test('a list is serialised once, for caching and for sending', async () => {
    const [lists] = await processes(1, shared)
    let written = 0
    const toJSON = () => ({ title: 'Rain', written: ++written })
    const list = await lists!.read('events', ['lists'], async () => ({ toJSON }))
    expect(jsonBytes(list).toString()).toBe('{"title":"Rain","written":1}')
  })

  test('a list is computed once a minute', async () => {
    const [lists] = await processes(1, shared)
    const { make, made } = counting()
    for (let second = 0; second < 60; second += 10) {
      expect(await lists!.read('a', ['lists'], make)).toEqual([{ title: 'Rain', made: 1 }])
      clock.advance(9_999)
    }
    expect(made()).toBe(1)
  })

  test('a stale list is served while a new one is computed', async () => {
    const [lists] = await processes(1, shared)
    const { make, made } = counting()
    await lists!.read('a', ['lists'], make)
    clock.advance(60_000)
    expect(await lists!.read('a', ['lists'], make)).toEqual([{ title: 'Rain', made: 1 }])
    await eventually(async () => expect(await lists!.read('a', ['lists'], make)).toEqual([{ title: 'Rain', made: 2 }]))
    expect(made()).toBe(2)
  })

  test('a list that is too old is not served', async () => {
    const [lists] = await processes(1, shared)
    const { make } = counting()
    await lists!.read('a', ['lists'], make)
    clock.advance(300_000)
    expect(await lists!.read('a', ['lists'], make)).toEqual([{ title: 'Rain', made: 2 }])
  })

  test('concurrent requests compute it once', async () => {
    const [lists] = await processes(1, shared)
    const gate = Promise.withResolvers<void>()
    const { make, made } = counting(() => gate.promise)
    const answers = Array.from({ length: 200 }, () => lists!.read('a', ['lists'], make))
    gate.resolve()
    expect(new Set((await Promise.all(answers)).map((list) => list[0]!.made))).toEqual(new Set([1]))
    expect(made()).toBe(1)
  })

  test('a failure is passed to all who wait, and the next request tries again', async () => {
    const [lists] = await processes(1, shared)
    const failing = () => Promise.reject(new Error('no database'))
    const answers = await Promise.allSettled([lists!.read('a', ['lists'], failing), lists!.read('a', ['lists'], failing)])
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await lists!.read('a', ['lists'], counting().make)).toEqual([{ title: 'Rain', made: 1 }])
  })

  test('lists of different names and tags are separate', async () => {
    const [lists] = await processes(1, shared)
    const { make } = counting()
    expect(await lists!.read('a', ['lists'], make)).toMatchObject([{ made: 1 }])
    expect(await lists!.read('b', ['lists'], make)).toMatchObject([{ made: 2 }])
    await platform.em().transactional((em) => invalidate(em, ['others']))
    expect(await lists!.read('a', ['lists'], make)).toMatchObject([{ made: 1 }])
  })

  test('invalidating a tag drops its lists in every process, when the transaction commits', async () => {
    const all = await processes(3, shared)
    const { make } = counting()
    const seen = () => Promise.all(all.map(async (lists) => (await lists.read('a', ['lists'], make))[0]!.made))
    const before = Math.max(...(await seen()))
    const stop = new Error('undone')
    await platform
      .em()
      .transactional(async (em) => {
        await invalidate(em, ['lists'])
        throw stop
      })
      .catch((error) => expect(error).toBe(stop))
    expect(Math.max(...(await seen()))).toBe(before)
    await platform.em().transactional((em) => invalidate(em, ['lists', 'lists']))
    await eventually(async () => expect(Math.min(...(await seen()))).toBeGreaterThan(before))
  })

  test('a list begun before an invalidation is not cached after it', async () => {
    const [lists] = await processes(1, shared)
    const gate = Promise.withResolvers<void>()
    const slow = lists!.read('a', ['lists'], async () => {
      await gate.promise
      return 'as it was'
    })
    await platform.em().transactional((em) => invalidate(em, ['lists']))
    await eventually(async () =>
      expect(await Promise.race([lists!.read('a', ['lists'], async () => 'as it is'), 'waits'])).toBe('as it is'),
    )
    gate.resolve()
    expect(await slow).toBe('as it was')
    expect(await lists!.read('a', ['lists'], async () => 'again')).toBe('as it is')
  })

  test('while the connection to the database is lost no cached list is used', async () => {
    const deaf = openGenerations('postgres://nobody@127.0.0.1:1/nothing')
    opened.push(deaf)
    const lists = cachedLists({ generations: deaf, redis: shared ? await readyRedis() : null, prefix: 'deaf:', now: platform.now })
    const { make } = counting()
    for (const made of [1, 2, 3]) expect(await lists.read('a', ['lists'], make)).toEqual([{ title: 'Rain', made }])
  })

  test('a lost connection is reopened and catches up on what was missed', async () => {
    const generations = openGenerations(databaseUrl)
    opened.push(generations)
    await hearing(generations)
    const before = generations.of(['lists'])!
    await platform.em().execute(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'augury cache'`)
    await eventually(() => expect(generations.of(['lists'])).toBeNull())
    await platform.em().transactional((em) => invalidate(em, ['lists']))
    await eventually(() => expect(Number(generations.of(['lists']))).toBe(Number(before) + 1))
  })
})

describe.each(server === null ? [] : ['a Redis between processes'])('%s', () => {
  test('a list computed by one process is used by the others', async () => {
    const [one, two] = await processes(2, true)
    const { make, made } = counting()
    await one!.read('a', ['lists'], make)
    expect(await two!.read('a', ['lists'], make)).toEqual([{ title: 'Rain', made: 1 }])
    expect(made()).toBe(1)
  })

  test('a list that became empty is empty for the others too', async () => {
    const [one, two, three] = await processes(3, true)
    await one!.read('a', ['lists'], counting().make)
    clock.advance(61_000)
    const empty = async () => []
    await two!.read('a', ['lists'], empty)
    await eventually(async () => expect(await two!.read('a', ['lists'], empty)).toEqual([]))
    expect(await three!.read('a', ['lists'], empty)).toEqual([])
  })

  test('of several processes with the same stale list one computes the new one', async () => {
    const all = await processes(4, true)
    const { make, made } = counting()
    for (const lists of all) await lists.read('a', ['lists'], make)
    clock.advance(60_000)
    await Promise.all(all.map((lists) => lists.read('a', ['lists'], make)))
    await eventually(() => expect(made()).toBe(2))
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(made()).toBe(2)
  })

  test.each([
    ['is no JSON', 'x'],
    ['was meant for another question', JSON.stringify({ key: 'other', madeAt: Date.UTC(2026, 10, 20, 12), value: 'wrong' })],
    ['has no time', JSON.stringify({ key: 'a', value: 'wrong' })],
    ['is nothing', 'null'],
  ])('a cached value that %s is ignored', async (_, text) => {
    const [lists] = await processes(1, true)
    const redis = await readyRedis()
    const generation = await currentGeneration()
    await redis.client.set(`test:${deployments}:a@${generation}`, text.replace('"key":"a"', `"key":"a@${generation}"`))
    expect(await lists!.read('a', ['lists'], async () => 'right')).toBe('right')
  })

  test('killed, frozen and restarted under load: no errors and no wrong lists', async () => {
    const all = await processes(2, true)
    const truth = { version: 1 }
    const make = async () => ({ ...truth })
    let errors = 0
    let ended = false
    const readers = all.map(async (lists) => {
      for (let count = 0; !ended; count++) {
        const before = truth.version
        const read = await lists.read(`a ${count % 50}`, ['lists'], make).catch(() => null)
        if (!read) errors++
        else if (read.version < before - 1) errors++
        await new Promise(setImmediate)
      }
    })
    for (const happening of [server!.kill, server!.restart, server!.freeze, server!.thaw, server!.kill, server!.restart]) {
      await happening()
      truth.version++
      await platform.em().transactional((em) => invalidate(em, ['lists']))
      await eventually(async () => {
        for (const lists of all) expect((await lists.read('a 1', ['lists'], make)).version).toBe(truth.version)
      })
    }
    ended = true
    await Promise.all(readers)
    expect(errors).toBe(0)
  })
})

async function currentGeneration(): Promise<string> {
  const [row] = await platform.em().execute<{ generation: string }[]>(`select generation from cache_tag where tag = 'lists'`)
  return row?.generation ?? '0'
}
