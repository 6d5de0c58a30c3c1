import { rmSync } from 'node:fs'
import { RefusedError } from '@augury/client/answer'
import { platformClient } from '@augury/client/platform'
import { SecondFactorNeeded, signIn } from '@augury/client/sign-in'
import { migratePlatform } from '@augury/domain/platform/database'
import { openSite } from '@augury/platform/site/site'
import { platformApp } from '@augury/rest/platform'
import { webSettings } from '@augury/settings/env'
import { migratedDatabase } from '@augury/testing/database'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { generateSync } from 'otplib'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'

const settings = webSettings({
  MODE: 'production',
  DATA_DIR: temporaryFolder('client'),
  DATABASE_URL: await migratedDatabase('platform', migratePlatform),
  ORIGIN: 'https://site.test',
  CLOB_URL: 'http://127.0.0.1:9',
  PUBLIC_CLOB_URL: 'https://clob.test',
  KEY_RING: `1:${'01'.repeat(32)}`,
  SCHEDULER_SECRET: 'a secret of at least thirty-two bytes',
  PLATFORM_WALLET_KEY: `0x${'0e'.repeat(32)}`,
})
const site = await openSite(settings)
afterAll(async () => {
  await site.close()
  rmSync(settings.dataDir, { recursive: true, force: true })
})
const bugs: unknown[] = []
const app = platformApp({ site, onBug: (error) => void bugs.push(error) })
const at = { url: 'https://site.test', fetch: async (input: string, init: RequestInit) => app.request(input, init) }
const wallet = privateKeyToAccount(`0x${'55'.repeat(32)}`)
const refusal = (code: string) => expect.objectContaining({ name: 'RefusedError', code })

test('a script signs in, sees itself, turns the second factor on, is refused without it, and signs out', async () => {
  const first = await signIn({ ...at, wallet, chainId: 80002, statement: 'A script signs in.' })
  expect(first.user).toMatchObject({ address: wallet.address, two_factor_enabled: false })
  const me = platformClient({ ...at, token: first.token })
  expect(await me.getSession()).toEqual(first.user)

  const { otpauthUri } = await me.enrollTwoFactor()
  const secret = new URL(otpauthUri).searchParams.get('secret')!
  const code = (steps: number) => generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + 30 * steps })
  const { token, user } = await me.confirmTwoFactor({ body: { code: code(0) } })
  expect(user.two_factor_enabled).toBe(true)
  await expect(me.listSessions()).rejects.toEqual(refusal('unauthenticated')) // the token was renewed

  await expect(signIn({ ...at, wallet, chainId: 80002 })).rejects.toBeInstanceOf(SecondFactorNeeded)
  await expect(signIn({ ...at, wallet, chainId: 80002, secondFactor: async () => ({ recoveryCode: 'wrong' }) })).rejects.toEqual(
    refusal('second_factor_failed'),
  )
  const second = await signIn({ ...at, wallet, chainId: 80002, secondFactor: async () => ({ code: code(1) }) })
  const again = platformClient({ ...at, token: second.token })
  expect((await again.listSessions()).length).toBe(2)
  await again.endSession({ params: { id: 'others' } })
  await expect(platformClient({ ...at, token }).listSessions()).rejects.toEqual(refusal('unauthenticated'))
  expect(await again.signOut()).toEqual({ success: true })
  await expect(again.listSessions()).rejects.toBeInstanceOf(RefusedError)
})

test('without a token the public routes answer, and the rest say what is missing', async () => {
  const anybody = platformClient(at)
  expect(await anybody.getSession()).toBeNull()
  expect(await anybody.listEvents()).toEqual([])
  await expect(anybody.listSessions()).rejects.toEqual(refusal('unauthenticated'))
  await expect(signIn({ ...at, wallet, chainId: 56 })).rejects.toEqual(refusal('chain_not_allowed'))
  expect(bugs).toEqual([])
})
