import { loginTypedData } from '@augury/signing/login'
import { withConnection } from '@augury/testing/connection'
import { eventually } from '@augury/testing/eventually'
import type { Hex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { Caller, type Reply, send } from './caller.ts'
import { fund } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const operator = await Caller.of(running.url, wallets.operator, 'venue')
await Caller.of(running.url, wallets.bob)

/** Claims an address as a contract wallet: what is credited to it would go to the claimant. */
async function claim(owner: PrivateKeyAccount, address: Hex): Promise<Reply> {
  const path = `/auth/wallets/${address.toLowerCase()}/1`
  const timestamp = String(Math.floor(Date.now() / 1000))
  const login = { chainId: running.settings.chainId, address: owner.address, host: new URL(running.url).host, method: 'POST' as const }
  const signature = await owner.signTypedData(loginTypedData({ ...login, path, timestamp, nonce: 0n }))
  const headers = { SVC_ADDRESS: owner.address, SVC_TIMESTAMP: timestamp, SVC_NONCE: '0', SVC_SIGNATURE: signature }
  return send(running.url, 'POST', path, undefined, headers)
}
const newAccount = () => privateKeyToAccount(generatePrivateKey())
const taken = { status: 409, body: { code: 'wallet_taken' } }

test('the address that receives fees is public, and cannot be claimed before its first fee', async () => {
  const { address } = newAccount()
  expect((await operator.call('PUT', '/operator/fee-account', { address })).body.fee_account).toBe(address)
  expect(await claim(wallets.bob, address)).toMatchObject(taken)
  expect((await operator.call('PUT', '/operator/fee-account', { address: null })).body.fee_account).toBe(wallets.operator.address)
})

test('a claimed address gets no fees, until its owner signs', async () => {
  const owner = newAccount()
  const name = () => operator.call('PUT', '/operator/fee-account', { address: owner.address })
  expect((await claim(wallets.bob, owner.address)).status).toBe(200)
  expect(await name()).toMatchObject(taken)
  await Caller.of(running.url, owner)
  expect((await name()).body.fee_account).toBe(owner.address)
})

test('the address of a referrer cannot be claimed', async () => {
  const { address } = newAccount()
  const named = await operator.call('PUT', `/operator/accounts/${wallets.alice.address}`, { referrer: address })
  expect(named.body.referrer).toBe(address)
  expect(await claim(wallets.bob, address)).toMatchObject(taken)
})

test('a referrer who never used the exchange earns, whatever another account claims', async () => {
  const [referrer, member] = [newAccount(), newAccount()]
  expect((await claim(wallets.bob, referrer.address)).status).toBe(200)
  const named = await operator.call('PUT', `/operator/accounts/${member.address}`, { referrer: referrer.address })
  expect(named.body.referrer).toBe(referrer.address)
})

test('an account that is empty and has no key any more cannot be claimed', async () => {
  const carol = await Caller.of(running.url, wallets.carol)
  expect((await carol.call('DELETE', '/auth/api-key')).status).toBe(200)
  expect(await claim(wallets.bob, wallets.carol.address)).toMatchObject(taken)
})

test('an account cannot be claimed while its first key is being made', async () => {
  const dora = newAccount()
  const [creating, claiming] = await withConnection(running.settings.clobDatabaseUrl, async (other) => {
    const waiting = async () => Number((await other.query(WAITING)).rows[0].count)
    await other.query('begin')
    await other.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [dora.address.toLowerCase()])
    const made = Caller.of(running.url, dora)
    await eventually(async () => expect(await waiting()).toBe(1))
    const claimed = claim(wallets.bob, dora.address)
    await Promise.race([claimed, eventually(async () => expect(await waiting()).toBe(2))])
    await other.query('commit')
    return [made, claimed]
  })
  const caller = await creating
  await claiming
  await fund(running.url, dora.address, '3')
  expect((await caller.cash()).balance).toBe('3000000')
})

const WAITING = `select count(*) from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())`
