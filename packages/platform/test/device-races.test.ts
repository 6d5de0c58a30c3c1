import { randomBytes } from 'node:crypto'
import { createProxyTypedData } from '@augury/signing/proxy-wallet'
import { fc } from '@augury/testing/properties'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { readSession, startSession } from '../src/identity/sessions.ts'
import { credentialPlace } from '../src/identity/stored-credentials.ts'
import { signProxyWallet } from '../src/proxy-wallet/manage-proxy-wallet.ts'
import { listDevices } from '../src/trading/devices.ts'
import { saveTradingCredentials } from '../src/trading/manage-credentials.ts'
import { races } from './races.ts'
import { cookiesOf, testSite, visitWith } from './test-site.ts'

const { site } = await testSite()
const race = races(site)

async function member() {
  const address = `0x${randomBytes(20).toString('hex')}` as const
  const [{ id }] = (await site
    .em()
    .execute('insert into users (address, affiliate_code) values (?, ?) returning id', [address, randomBytes(6).toString('hex')])) as [
    { id: string },
  ]
  return { id, address }
}

test('however many devices enable trading at once, five may trade, and each has its own slot', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 8 }), async (count) => {
      const { id, address } = await member()
      const visits = Array.from({ length: count }, () => visitWith())
      const tokens = await Promise.all(visits.map((visit) => startSession(site.em(), id, visit, site.now())))
      const members = await Promise.all(tokens.map((token, i) => readSession(site, token, visits[i]!)))
      const body = { set: 'relayer', address, key: 'k', secret: 's', passphrase: 'p' } as const
      await Promise.all(members.map((each) => saveTradingCredentials(site, each!, { body })))
      const marks = visits.map((visit) => cookiesOf(visit)['__Host-augury_context']!)
      expect(new Set(marks).size).toBe(count)
      const kept: { slot: number }[] = await site.em().execute('select slot from trading_context where user_id = ? order by slot', [id])
      expect(kept.map(({ slot }) => slot)).toEqual(Array.from({ length: Math.min(count, 5) }, (_, slot) => slot))
      const told = await site.em().execute('select count(*)::int as n from notification where user_id = ?', [id])
      expect(told).toEqual([{ n: count }])
    }),
    { numRuns: 15 },
  )
})

test('a device sees itself in the list of trading devices', async () => {
  const { id, address } = await member()
  const visit = visitWith()
  const token = await startSession(site.em(), id, visit, site.now())
  const body = { set: 'relayer', address, key: 'k', secret: 's', passphrase: 'p' } as const
  await saveTradingCredentials(site, (await readSession(site, token, visit))!, { body })
  const here = visitWith(cookiesOf(visit))
  expect(await listDevices(site, (await readSession(site, token, here))!)).toMatchObject([{ current: true }])
  expect(await listDevices(site, (await readSession(site, token, visitWith()))!)).toMatchObject([{ current: false }])
})

test('of credentials saved concurrently by several devices one set is stored completely, and every device may use it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 4 }), async (scheduler, count) => {
      const { id, address } = await member()
      const visits = Array.from({ length: count }, () => visitWith())
      const tokens = await Promise.all(visits.map((visit) => startSession(site.em(), id, visit, site.now())))
      const members = await Promise.all(tokens.map((token, i) => readSession(site, token, visits[i]!)))
      const outcomes = await race(
        scheduler,
        members.map((each, n) => (raced) => {
          const body = { set: 'relayer', address, key: `key-${n}`, secret: `secret-${n}`, passphrase: `passphrase-${n}` } as const
          return saveTradingCredentials(raced, each!, { body })
        }),
      )
      expect(outcomes).toEqual(Array(count).fill('passed'))
      const [row]: { key: string; secret: string; passphrase: string }[] = await site
        .em()
        .execute('select key, secret, passphrase from trading_credential where user_id = ?', [id])
      const open = (field: 'secret' | 'passphrase') => site.vault.open(row![field], credentialPlace(id, 'relayer', field))
      const n = row!.key.slice('key-'.length)
      expect([open('secret'), open('passphrase')]).toEqual([`secret-${n}`, `passphrase-${n}`])
      const [devices] = await site.em().execute('select count(*)::int as n from trading_context where user_id = ?', [id])
      expect(devices).toEqual({ n: count })
    }),
    { numRuns: 25 },
  )
})

test('a proxy wallet with several concurrent signatures is deployed once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 4 }), async (scheduler, count) => {
      const wallet = privateKeyToAccount(`0x${randomBytes(32).toString('hex')}`)
      const [{ id }] = (await site
        .em()
        .execute('insert into users (address, affiliate_code) values (?, ?) returning id', [
          wallet.address.toLowerCase(),
          randomBytes(6).toString('hex'),
        ])) as [{ id: string }]
      const token = await startSession(site.em(), id, visitWith(), site.now())
      const who = (await readSession(site, token, visitWith()))!
      const body = { signature: await wallet.signTypedData(createProxyTypedData(site.settings.chainId)) }
      const outcomes = await race(
        scheduler,
        Array.from({ length: count }, () => (raced) => signProxyWallet(raced, who, { body })),
      )
      expect(outcomes).toEqual(Array(count).fill('passed'))
      const rows = await site.em().execute(`select action from audit_log where subject_id = ?`, [id])
      expect(rows).toEqual([{ action: 'proxy_wallet_signed' }])
    }),
    { numRuns: 10 },
  )
})
