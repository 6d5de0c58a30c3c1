import { eventually } from '@augury/testing/eventually'
import { redisBinary, startRedis } from '@augury/testing/redis-server'
import { afterAll, expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { testSite } from './test-site.ts'

// Without a redis-server on this machine, tests a deployment without Redis.
const server = redisBinary === null ? null : await startRedis(redisBinary)
afterAll(() => server?.kill())
const at = await testSite(server ? { redisUrl: server.url } : {})

/** Restarts Redis empty and waits until the site is connected again. */
async function forget(): Promise<void> {
  if (!server) return
  await server.kill()
  await server.restart()
  await eventually(() => expect(at.site.redis!.client.isReady).toBe(true))
}
const copyOf = (browser: Browser) => {
  const copy = new Browser(at)
  for (const [name, value] of browser.jar) copy.jar.set(name, value)
  return copy
}
const verify = (browser: Browser, code: string) => browser.post('/api/auth/two-factor/verify-totp', { code })

test('a nonce cannot be used twice after Redis lost its data', async () => {
  const wallet = walletOf(13_001)
  const browser = new Browser(at)
  const signed = await browser.signed(wallet)
  const copy = copyOf(browser)
  await forget()
  expect((await browser.post('/api/auth/siwe/verify', signed)).status).toBe(200)
  await forget()
  expect(await copy.post('/api/auth/siwe/verify', signed)).toMatchObject({ status: 401, body: { code: 'nonce_used' } })

  const { secret } = await browser.enroll()
  const [one, two] = [new Browser(at), new Browser(at)]
  await one.signIn(wallet)
  await two.signIn(wallet)
  const code = one.code(secret)
  expect((await verify(one, code)).status).toBe(200)
  await forget()
  expect(await verify(two, code)).toMatchObject({ status: 401, body: { code: 'second_factor_failed' } })
})

test('wrong codes still count after Redis lost its data', async () => {
  const wallet = walletOf(13_002)
  const browser = new Browser(at)
  await browser.signIn(wallet)
  const { secret } = await browser.enroll()
  const guessing = new Browser(at)
  await guessing.signIn(wallet)
  const wrong = guessing.code(secret) === '000000' ? '000001' : '000000'
  for (let guess = 0; guess < 5; guess++) expect((await verify(guessing, wrong)).status).toBe(401)
  await forget()
  expect(await verify(guessing, guessing.code(secret))).toMatchObject({ body: { code: 'second_factor_locked' } })
})

test('there were no unexpected failures', () => {
  expect(at.bugs).toEqual([])
})
