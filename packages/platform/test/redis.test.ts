import { redisBinary, startRedis } from '@augury/testing/redis-server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openRedis } from '../src/outbound/redis.ts'

const server = redisBinary ? await startRedis(redisBinary) : null

describe.each(server === null ? [] : ['a Redis'])('%s', () => {
  test('the log has once that Redis is lost, and once that it is back', async () => {
    const heard: (string | null)[] = []
    const redis = openRedis(server!.url, (trouble) => heard.push(trouble))
    onTestFinished(() => redis.close())
    await expect.poll(redis.trouble).toBe(null)
    expect(heard).toEqual([])
    await server!.kill()
    await expect.poll(() => heard.length).toBe(1)
    await expect.poll(redis.trouble).not.toBe(null)
    await server!.restart()
    await expect.poll(redis.trouble, { timeout: 10_000 }).toBe(null)
    expect(heard).toEqual([expect.any(String), null])
  })

  test('a Redis that refuses every command is logged, although it can be reached', async () => {
    const owner = openRedis(server!.url)
    onTestFinished(() => owner.close())
    await expect.poll(owner.trouble).toBe(null)
    await owner.attempt((client) => client.sendCommand(['CONFIG', 'SET', 'requirepass', 'canary-of-redis']))
    const heard: (string | null)[] = []
    const stranger = openRedis(server!.url, (trouble) => heard.push(trouble))
    onTestFinished(() => stranger.close())
    await expect.poll(() => heard[0]).toMatch(/NOAUTH/)
    const wrong = openRedis(server!.url.replace('//', '//:wrong-canary@'), (trouble) => heard.push(trouble))
    onTestFinished(() => wrong.close())
    await expect.poll(() => heard[1]).toMatch(/WRONGPASS/)
    expect(heard.join()).not.toContain('canary')
  })
})

test('one that cannot be reached is logged once', async () => {
  const heard: (string | null)[] = []
  const redis = openRedis('redis://127.0.0.1:1', (trouble) => heard.push(trouble))
  onTestFinished(() => redis.close())
  await expect.poll(() => heard.length).toBe(1)
  await redis.attempt((client) => client.ping())
  expect([redis.trouble() !== null, heard.length]).toEqual([true, 1])
})
