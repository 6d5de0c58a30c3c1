import { createApiKey } from '@augury/client/api-key'
import { venueClient } from '@augury/client/rest'
import { conditionRequest } from '@augury/testing/condition-request'
import type { PrivateKeyAccount } from 'viem/accounts'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect } from 'vitest'
import { hasAnvil, onAnvil } from '../../../packages/chain/test/anvil.ts'
import { FEES, type FeeState } from '../src/fees.ts'
import { ALICE, alice, bob, MANAGER, openScene, type Scene } from './scene.ts'

const BOB = privateKeyToAccount(`0x${'c3'.repeat(32)}`)
const RECIPIENT = MANAGER.address.toLowerCase() as `0x${string}`
const DAY = 86_400_000

let scene: Scene
beforeAll(async () => {
  if (hasAnvil()) scene = await openScene({ FEE_PAYOUT_MIN: '1' }, { PROOF_EVERY: '3600' })
})
afterAll(() => scene?.close())

/** Trades of Bob with Alice, whose fees the creator of the market gets: in millionths. */
async function trader() {
  const { tokens } = await scene.manager.registerCondition({ body: { ...conditionRequest('fees'), fee_rate_bps: 700 } })
  const as = async (wallet: PrivateKeyAccount) =>
    venueClient({ url: scene.exchange.url, apiKey: await createApiKey({ url: scene.exchange.url, wallet, nonce: 3n }) })
  const [maker, taker] = [await as(ALICE), await as(BOB)]
  const place = (client: typeof maker, outcome: 0 | 1, name: string) =>
    client.placeOrder({
      body: { tokenId: tokens[outcome]!.token_id, side: 'BUY', price: '0.5', size: '200', orderType: 'GTC', clientOrderId: name },
    })
  return async (name: string): Promise<number> => {
    const before = Number((await scene.manager.getFees({ query: { address: RECIPIENT, after: 0 } })).amount)
    await place(maker, 0, `maker-${name}`)
    await place(taker, 1, `taker-${name}`)
    return Number((await scene.manager.getFees({ query: { address: RECIPIENT, after: 0 } })).amount) - before
  }
}

onAnvil('fees are paid out of the vault to the named recipient, once a day, from the least amount on, and audited', async () => {
  let ahead = 0
  const settler = await scene.settler('fees', (world) => ({ ...world, clock: { ...world.clock, now: () => world.clock.now() + ahead } }))
  const state = async () => (await scene.rows<{ value: FeeState }>('select value from chain.cursor where name = ?', [FEES]))[0]?.value
  await scene.deposit(alice, 300_000_000)
  await scene.deposit(bob, 300_000_000)
  await settler.until(async () => (await scene.credited()).length === 2)
  const trade = await trader()
  expect(await trade('before')).toBeGreaterThan(1_000_000) // before a recipient is named: stays in the account
  await settler.round()
  expect(await state()).toBeUndefined()
  await scene.rows(`insert into settings_version (group_name, number, values, created_at) values ('general', 1, ?::jsonb, now())`, [
    JSON.stringify({ feeRecipientWallet: RECIPIENT }),
  ])
  await settler.until(async () => (await state())?.account === RECIPIENT)
  const earned = await trade('after')
  expect(earned).toBeGreaterThan(1_000_000)
  await settler.round()
  expect(await state()).toMatchObject({ unpaid: 0, open: null }) // not before a day is over
  expect(await scene.balanceOf(RECIPIENT)).toBe(0)

  ahead += DAY
  await settler.until(async () => (await scene.balanceOf(RECIPIENT)) > 0)
  expect(await scene.balanceOf(RECIPIENT)).toBe(earned)
  await settler.until(async () => (await scene.stepsOf()).includes('settled'))
  const [entry] = await scene.rows(`select details from audit_log where action = 'fees_paid_out'`)
  expect(entry).toMatchObject({ details: { account: RECIPIENT, amount: String(earned) } })

  ahead += DAY
  for (let rounds = 0; rounds < 3; rounds++) await settler.round()
  expect(await scene.balanceOf(RECIPIENT)).toBe(earned)
  await settler.release()
})

onAnvil('a payout that was cut short before it was set aside is made once', async () => {
  const { world, release, until } = await scene.settler('cut short')
  const state = (await scene.rows<{ value: FeeState }>('select value from chain.cursor where name = ?', [FEES]))[0]!.value
  const before = await scene.balanceOf(RECIPIENT)
  const open = { name: `fees:again:${state.seq}`, amount: 1_000_000 }
  await world.fenced((em) =>
    em.execute('update chain.cursor set value = ?::jsonb where name = ?', [JSON.stringify({ ...state, open }), FEES]),
  )
  await world.fenced((em) =>
    em.execute(`update chain.cursor set value = value || ?::jsonb where name = 'demand_withdrawals'`, [
      JSON.stringify([{ name: open.name, account: RECIPIENT }]),
    ]),
  )
  expect(await world.accounts.setAside(RECIPIENT, open.name, open.amount)).toBeNull() // the answer was lost
  await until(async () => (await scene.balanceOf(RECIPIENT)) > before)
  for (let rounds = 0; rounds < 3; rounds++) await until(() => true)
  expect(await scene.balanceOf(RECIPIENT)).toBe(before + 1_000_000)
  await release()
})

onAnvil('the exchange shows which transaction posted a root, and which root settles a trade', async () => {
  const settler = await scene.settler('noting')
  const { data: roots } = await scene.manager.listStateRoots()
  const noted = await settler.until(async () => {
    const root = await scene.manager.getStateRoot({ params: { n: String(roots[0]!.n) } })
    return root.transaction_hash !== null
  })
  expect(noted.troubles).toEqual([])
  const { data } = await scene.manager.listStateRoots()
  const shown = new Map(data.map(({ hash, transaction_hash }) => [`0x${hash}`, transaction_hash]))
  const posted = await scene.rows<{ hash: string; transaction: string }>('select hash, transaction from chain.root')
  expect(posted.length).toBeGreaterThan(0)
  for (const { hash, transaction } of posted) expect(shown.get(hash)).toBe(transaction)
  const trades = (await scene.manager.listTrades()).data
  expect(trades.length).toBeGreaterThan(0)
  for (const { settlement, seq } of trades) {
    const root = data.find(({ n }) => n === settlement?.root)
    expect(root?.seq).toBeGreaterThanOrEqual(seq)
    expect(settlement?.transaction_hash).toBe(root?.transaction_hash)
  }
  await settler.release()
})
