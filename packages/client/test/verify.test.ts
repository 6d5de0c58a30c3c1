import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { ApiKey } from '@augury/signing/request-signer'
import { stateRootText } from '@augury/signing/state-root'
import type { BalanceProof, Fact, SignedRoot } from '@augury/wire/proof'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RefusedError } from '../src/answer.ts'
import { createApiKey } from '../src/api-key.ts'
import { signOrder } from '../src/orders.ts'
import { HistoryReader } from '../src/public-history.ts'
import { type VenueClient, venueClient } from '../src/rest.ts'
import { checkBalance, checkBalanceIn } from '../src/verify-balance.ts'
import { checkRoots } from '../src/verify-root.ts'
import { exchangeWithMarket } from './exchange.ts'

const wallets = ['a1', 'b0', 'c0'].map((byte) => privateKeyToAccount(`0x${byte.repeat(32)}`))

let exchange: Awaited<ReturnType<typeof exchangeWithMarket>>
let visitor: VenueClient
let traders: { client: VenueClient; apiKey: ApiKey; account: string }[]
let roots: SignedRoot[]
let proof: BalanceProof
let facts: Fact[]

/** Three accounts deposit, trade in every way, and leave orders in the book, over several roots. */
beforeAll(async () => {
  exchange = await exchangeWithMarket({ PROOF_EVERY: '1' })
  const { url } = exchange
  visitor = venueClient({ url })
  traders = await Promise.all(
    wallets.map(async (wallet) => {
      const apiKey = await createApiKey({ url, wallet })
      const client = venueClient({ url, apiKey })
      await client.faucet({ body: { address: wallet.address, amount: '1000' } })
      return { client, apiKey, account: wallet.address }
    }),
  )
  const [market] = (await visitor.listMarkets()).data
  const order = async (who: number, side: 'BUY' | 'SELL', outcome: 0 | 1, price: string, size: string) => {
    const { client, apiKey } = traders[who]!
    const tokenId = market!.tokens[outcome]!.token_id
    const signed = await signOrder(
      { tokenId, side, orderType: 'GTC', price, size },
      { wallet: wallets[who]!, chainId: 80_002, apiKey: apiKey.key, tickSize: '0.01' },
    )
    return client.placeOrder({ body: signed.body })
  }
  await order(0, 'BUY', 0, '0.4', '100')
  await order(1, 'BUY', 1, '0.6', '60') // mints
  await order(2, 'BUY', 0, '0.55', '20')
  await order(0, 'SELL', 0, '0.5', '25') // changes hands, and a rest stays
  await order(1, 'SELL', 1, '0.7', '10')
  await order(2, 'BUY', 1, '0.3', '15')
  while ((await nextRoot()) < 3) await setTimeout(300)

  roots = (await visitor.listStateRoots({ query: { limit: 500 } })).data.toReversed()
  proof = await traders[0]!.client.getBalanceProof()
  facts = (await visitor.listFacts({ query: { after: 0, limit: 5000 } })).data
})
afterAll(() => exchange?.close())

/** Makes a command, so that time passes for the engine. Returns the number of the last root. */
async function nextRoot(): Promise<number> {
  await traders[2]!.client.faucet({ body: { address: wallets[2]!.address, amount: '1' } })
  return (await visitor.listStateRoots({ query: { limit: 1 } })).data[0]?.n ?? 0
}

test('unmodified roots have no fault, and one key signed them', async () => {
  expect(await checkRoots(roots)).toEqual([])
  const [key] = await visitor.listProofKeys()
  expect(key).toMatchObject({ key: roots[0]!.key, first: 1, current: true })
  expect(await checkRoots(roots, key!.key)).toEqual([])
  expect(await visitor.getStateRoot({ params: { n: '1' } })).toEqual(roots[0])
  await expect(visitor.getStateRoot({ params: { n: '99999' } })).rejects.toMatchObject({ code: 'not_found' })
})

const flipped = (hex: string) => (hex[0] === '0' ? '1' : '0') + hex.slice(1)

test.each<[string, (given: SignedRoot[]) => SignedRoot[], object]>([
  [
    'a total',
    ([a, ...rest]) => [{ ...a!, usdc: String(Number(a!.usdc) - 1), locked: String(Number(a!.locked) + 1) }, ...rest],
    { n: 1, fault: 'signature' },
  ],
  ['what came in', ([a, ...rest]) => [{ ...a!, custody: String(Number(a!.custody) + 1) }, ...rest], { n: 1, fault: 'sums' }],
  ['a hash', ([a, ...rest]) => [{ ...a!, hash: flipped(a!.hash) }, ...rest], { n: 1, fault: 'hash' }],
  ['a signature', ([a, ...rest]) => [{ ...a!, signature: flipped(a!.signature) }, ...rest], { n: 1, fault: 'signature' }],
  ['the order of roots', ([a, b, ...rest]) => [b!, a!, ...rest], { n: 1, fault: 'backwards' }],
  ['a root that is missing', ([a, _, ...rest]) => [a!, ...rest], { n: 3, fault: 'missing' }],
  ['the tie to the one before', ([a, b, ...rest]) => [a!, { ...b!, previous: a!.previous }, ...rest], { n: 2, fault: 'chain' }],
  ['the hour', ([a, b, ...rest]) => [a!, { ...b!, closes: a!.closes - 1 }, ...rest], { n: 2, fault: 'backwards' }],
  ['the key', ([a, b, ...rest]) => [a!, { ...b!, key: b!.root }, ...rest], { n: 2, fault: 'key' }],
])('a change of %s is found', async (_, change, finding) => {
  expect(await checkRoots(change([...roots]))).toContainEqual(finding)
})

/** A new key that signs like the exchange's. */
async function anotherKey() {
  const pair = (await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as CryptoKeyPair
  const sign = async (text: string) => Buffer.from(await crypto.subtle.sign('Ed25519', pair.privateKey, Buffer.from(text))).toString('hex')
  return { sign, key: Buffer.from(await crypto.subtle.exportKey('raw', pair.publicKey)).toString('hex') }
}

test('another key is accepted only with an endorsement by the previous one', async () => {
  const [old, mine] = [await anotherKey(), await anotherKey()]
  const signed = async (by: typeof old, root: SignedRoot, endorsement: string | null): Promise<SignedRoot> => {
    const text = stateRootText({ ...root, key: by.key })
    const hash = createHash('sha256').update(text).digest('hex')
    return { ...root, key: by.key, hash, signature: await by.sign(text), endorsement }
  }
  const first = await signed(old, roots[0]!, null)
  const next = { ...roots[1]!, key: mine.key, previous: first.hash }
  const faults = async (endorsement: string | null) =>
    (await checkRoots([first, await signed(mine, next, endorsement)])).map(({ fault }) => fault)
  expect(await faults(await old.sign(stateRootText(next)))).toEqual([])
  expect(await faults(await mine.sign(stateRootText(next)))).toEqual(['key'])
  expect(await faults(null)).toEqual(['key'])
})

test('a first root that is not signed by the trusted key is found', async () => {
  expect(await checkRoots(roots, '11'.repeat(32))).toEqual([{ n: 1, fault: 'key' }])
})

test('every balance of an account is in the root, and the proof of another account is refused', async () => {
  const found = checkBalance(proof, wallets[0]!.address)
  expect(found.map(({ fault }) => fault)).toEqual(found.map(() => null))
  expect(found.map(({ asset }) => asset.market)).toContain(null)
  const amounts = await Promise.all(
    found.map(async ({ asset: { token_id } }) =>
      traders[0]!.client.getBalance({ query: token_id === null ? { asset_type: 'COLLATERAL' } : { asset_type: 'CONDITIONAL', token_id } }),
    ),
  )
  expect(found.map(({ asset }) => (asset.market === null ? asset.amount : `${asset.amount}0000`))).toEqual(
    amounts.map(({ balance }) => balance),
  )
  expect(checkBalance(proof, wallets[1]!.address).every(({ fault }) => fault === 'account')).toBe(true)
  expect(checkBalance({ ...proof, account: wallets[1]!.address }, wallets[1]!.address).every(({ fault }) => fault !== null)).toBe(true)
})

test('a balance is checked against the public root, not the one that comes with its proof', () => {
  const { address } = wallets[0]!
  const own = { ...proof.root, root: flipped(proof.root.root) }
  expect(checkBalanceIn(roots, proof, address)).toEqual(checkBalance(proof, address))
  expect(checkBalanceIn(roots, { ...proof, root: own }, address)).toEqual(checkBalance(proof, address))
  const forged = roots.map((root) => (root.n === own.n ? own : root))
  expect(checkBalanceIn(forged, proof, address)?.some(({ fault }) => fault === 'total')).toBe(true)
  expect(checkBalanceIn(roots, { ...proof, root: { ...own, n: roots.length + 1000 } }, address)).toBeNull()
})

type Change = (asset: BalanceProof['assets'][number]) => object
test.each<[string, Change, string]>([
  ['the amount', ({ amount }) => ({ amount: String(Number(amount) + 1) }), 'path'],
  ['the total', ({ total }) => ({ total: String(Number(total) + 1) }), 'path'],
  ['a neighbour’s amount', ({ path: [a, ...rest] }) => ({ path: [{ ...a!, sum: '0' }, ...rest] }), 'path'],
  ['a neighbour below zero', ({ path: [a, ...rest] }) => ({ path: [{ ...a!, sum: '-1' }, ...rest] }), 'path'],
  ['a neighbour’s hash', ({ path: [a, ...rest] }) => ({ path: [{ ...a!, hash: flipped(a!.hash) }, ...rest] }), 'total'],
  ['the way', ({ path }) => ({ path: path.slice(1) }), 'path'],
  ['a longer way', ({ path }) => ({ path: [...path, path[0]] }), 'path'],
  ['the place', ({ index, holders }) => ({ index: index + holders }), 'path'],
  ['how many there are', ({ holders }) => ({ holders: holders + 8 }), 'path'],
  ['the asset’s place', ({ place }) => ({ place: place + 1 }), 'total'],
])('a change of %s is found', (_, change, fault) => {
  const assets = proof.assets.map((asset) => ({ ...asset, ...change(asset) }))
  const usdc = checkBalance({ ...proof, assets } as BalanceProof, wallets[0]!.address).find(({ asset }) => asset.market === null)
  expect(usdc?.fault).toBe(fault)
})

test.each<[string, Partial<SignedRoot>]>([
  ['another sum of USDC', { usdc: '1' }],
  ['another number of holders', { holders: 1 }],
])('a root that says %s than its tree has is found', (_, said) => {
  const found = checkBalance({ ...proof, root: { ...proof.root, ...said } }, wallets[0]!.address)
  expect(found.find(({ asset }) => asset.market === null)?.fault).toBe('total')
})

test('the public history is anonymous and rebuilds the signed state and the books', async () => {
  const text = JSON.stringify(facts).toLowerCase()
  for (const { address } of wallets) expect(text).not.toContain(address.slice(2).toLowerCase())
  const reader = new HistoryReader(visitor, (ms) => setTimeout(ms))
  for (const root of roots) {
    await reader.advance(root.seq)
    expect(reader.history.differences(root)).toEqual([])
  }
  const [market] = reader.history.markets()
  const { bids, asks, seq } = await visitor.getOrderbook({
    query: { token_id: (await visitor.listMarkets()).data[0]!.tokens[0]!.token_id },
  })
  await reader.advance(seq)
  expect(reader.history.book(market!)).toEqual({ bids, asks })
  expect(bids.length + asks.length).toBeGreaterThan(1)
})

test.each<[string, (given: Fact[]) => Fact[]]>([
  ['left out', (given) => given.filter((fact) => fact.kind !== 'entry' || fact.reason !== 'trade')],
  [
    'changed by a millionth',
    (given) => given.map((fact) => (fact.kind === 'entry' && fact.reason === 'deposit' ? { ...fact, delta: fact.delta + 1 } : fact)),
  ],
  ['given to another account', (given) => given.map((fact) => (fact.kind === 'entry' ? { ...fact, holder: flipped(fact.holder) } : fact))],
])('history in which something was %s does not match the signed state', async (_, change) => {
  const root = roots.at(-1)!
  const source = { listFacts: async () => ({ data: change(facts.filter(({ seq }) => seq <= root.seq)), seq: root.seq }) }
  const reader = new HistoryReader(source, (ms) => setTimeout(ms))
  await reader.advance(root.seq)
  expect(reader.history.differences(root)).not.toEqual([])
})

test('reading history over the rate limit waits as long as told', async () => {
  const root = roots.at(-1)!
  const pauses: number[] = []
  const source = {
    async listFacts() {
      if (pauses.length === 0) throw new RefusedError(429, { error: 'Too many', code: 'rate_limited' }, 7)
      return { data: facts.filter(({ seq }) => seq <= root.seq), seq: root.seq }
    },
  }
  const reader = new HistoryReader(source, async (ms) => void pauses.push(ms))
  await reader.advance(root.seq)
  expect(pauses).toEqual([7000])
  expect(reader.history.differences(root)).toEqual([])
})
