import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitData } from '@augury/chain/proofs'
import { depositAddresses } from '@augury/chain/sweep'
import { refusalOf } from '@augury/chain/vault'
import { conditionRequest } from '@augury/testing/condition-request'
import type { ExitFile } from '@augury/wire/exit-file'
import { encodeAbiParameters, type Hex, keccak256, parseAbiParameters } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasAnvil, onToken } from '../../chain/test/anvil.ts'
import { runLine } from './run-line.ts'
import { keyOf, type Name, vaultWorld, walletOf } from './vault-world.ts'

// An exchange whose operator vanishes: everybody leaves by the command line, with what they kept, until the vault holds nothing.
const USDC = 1_000_000
const members: Name[] = ['alice', 'bob', 'carol']
let world: Awaited<ReturnType<typeof vaultWorld>>
const files = {} as Record<Name, string>
let mirror: string
let old: ExitFile

beforeAll(async () => {
  if (!hasAnvil()) return
  world = await vaultWorld()
  mirror = join(world.folder, 'mirror')
  await live()
}, 120_000)
afterAll(() => world?.close())

const onAnvil = (name: string, run: () => Promise<void>) =>
  test(name, { timeout: 120_000 }, ({ skip }) => {
    skip(!hasAnvil(), 'npm has no Anvil for this platform')
    return run()
  })

const augury = (line: string, name?: Name) =>
  runLine(line, { AUGURY_URL: world.url, AUGURY_KEY_FILE: join(world.folder, 'none'), ...(name && { AUGURY_WALLET_KEY: keyOf(name) }) })
const leave = (name: Name, more = '') => augury(`exit ${files[name]} --mirror ${mirror} ${more}--json`.trim(), name)
const kinds = (list: { kind: string }[]) => list.map(({ kind }) => kind)
const fileOf = (path: string): ExitFile => JSON.parse(readFileSync(path, 'utf8'))

/** Money, positions of a plain, a resolved and a converted market, money on its way out, and deposits that no root includes. */
async function live(): Promise<void> {
  const { venue, clientOf, deposit } = world
  for (const slug of ['rain', 'snow']) await venue.registerCondition({ body: conditionRequest(slug) })
  for (const slug of ['red', 'green', 'blue']) {
    const { metadata, ...request } = conditionRequest(slug)
    const cup = { ...metadata, event: { ...metadata.event, slug: 'cup' } }
    await venue.registerCondition({ body: { ...request, metadata: cup, neg_risk_event: { slug: 'cup', size: 3 } } })
  }
  const { data } = await venue.listMarkets()
  const market = (slug: string) => data.find(({ market_slug }) => market_slug === slug)!
  for (const [name, amount] of [
    ['alice', 1_000],
    ['bob', 500],
    ['carol', 250],
  ] as const)
    await deposit(name, amount * USDC)
  const [alice, bob, carol] = await Promise.all(members.map((name) => clientOf(name, 'trade')))
  await world.post()
  files.alice = await world.exitFile('alice', world.anvil.url)
  old = fileOf(files.alice)

  const [rain, snow, red, green] = ['rain', 'snow', 'red', 'green'].map(market) as [
    ReturnType<typeof market>,
    ...ReturnType<typeof market>[],
  ]
  await alice!.splitPosition({ body: { market: rain.condition_id, amount: '60' } })
  const yes = { tokenId: rain.tokens[0]!.token_id, orderType: 'GTC', price: '0.42', size: '60' } as const
  await alice!.placeOrder({ body: { ...yes, side: 'SELL' } })
  await bob!.placeOrder({ body: { ...yes, side: 'BUY' } })
  await carol!.splitPosition({ body: { market: snow!.condition_id, amount: '30' } })
  await venue.closeCondition({ params: { id: snow!.condition_id } })
  await venue.resolveCondition({ params: { id: snow!.condition_id }, body: { weights: [10_000, 0] } })
  const ids = [red!.condition_id, green!.condition_id] as Hex[]
  for (const id of ids) await alice!.splitPosition({ body: { market: id, amount: '20' } })
  await alice!.convertPosition({ body: { event: red!.neg_risk_market_id!, market_ids: ids, amount: '20' } })
  await venue.withdraw({ body: { address: walletOf('bob').address, amount: String(100 * USDC), ref: 'withdrawal-1' } })
  await world.post()
  for (const name of ['bob', 'carol'] as const) files[name] = await world.exitFile(name, world.anvil.url)
  await world.pay('bob', 100 * USDC)
  await deposit('carol', 50 * USDC, false)
}

onAnvil('a mirror keeps every root that the exchange shows, and says what is new', async () => {
  expect(await augury(`mirror ${mirror}`)).toMatchObject({
    code: 0,
    out: `2 new roots in ${mirror}, 2 in all; the newest of the exchange is 2`,
  })
  expect((await augury(`mirror ${mirror} --json`)).json()).toMatchObject({ saved: [], kept: 2, newest: 2 })
  expect(await augury(`mirror ${mirror} --keep 1`)).toMatchObject({ code: 0, out: expect.stringContaining('2 in all') })
})

onAnvil('the vault is compared with what the exchange signed', async () => {
  const there = `--vault ${world.vault} --rpc ${world.anvil.url}`
  const found = await augury(`verify --chain ${there}`)
  expect(found).toMatchObject({
    code: 0,
    out: expect.stringMatching(/\nvault +0x[0-9a-f]{40}, working\nposted +root 2, \d+ minutes old: deposits to 3, payments to 0\n/),
  })
  // One deposit is not credited yet, and one payment not settled.
  expect(found.out).toMatch(/\ncovers +1700 USDC in the vault, 1700 USDC owed$/)
  expect((await augury(`status ${there}`)).out).toMatch(
    /\nchain +31337, block \d+\nvault +working, root 2, \d+ minutes old, 100 USDC of 1000 USDC paid in 24 hours$/,
  )
  expect((await augury(`verify --chain --roots 1 --exit-file ${files.bob} --json`)).json()).toMatchObject({
    vault: { root: 2, condition: 'working' },
  })
  expect(await augury('verify --chain')).toMatchObject({ code: 2, error: expect.stringContaining('--vault or by --exit-file') })

  const snapshot = await world.anvil.ask('evm_snapshot')
  const balance = keccak256(encodeAbiParameters(parseAbiParameters('address, uint256'), [world.vault, 0n])) // where the token keeps it
  await world.anvil.ask('anvil_setStorageAt', world.token, balance, `0x${'00'.repeat(31)}01`)
  await world.anvil.ask('evm_mine')
  expect(await augury(`verify --chain ${there}`)).toMatchObject({ code: 1, error: expect.stringContaining('vault_short') })
  await world.anvil.ask('evm_revert', snapshot)
})

onAnvil('while the exchange lives, nothing leaves by itself; a demand has to be answered', async () => {
  const waiting = await augury(`exit ${files.bob} --dry-run`)
  expect(waiting).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^The vault is not frozen. Without another root anybody may freeze it after \d{4}-/),
  })
  expect((await leave('bob')).json()).toMatchObject({ frozen_at: null, sent: [], waiting: [{ kind: 'alive' }] })

  const snapshot = await world.anvil.ask('evm_snapshot')
  await world.pass(8)
  expect(kinds((await augury(`exit ${files.bob} --dry-run --json`)).json().would_send)).toEqual(['freeze'])
  await world.anvil.ask('evm_revert', snapshot)

  expect((await leave('carol', '--demand 0.5 ')).json()).toMatchObject({
    sent: [],
    waiting: [{ kind: 'refused', error: 'BadAmount()' }, { kind: 'alive' }],
  })
  expect((await leave('carol', '--demand 10 ')).json()).toMatchObject({
    sent: [{ kind: 'demand', value: '1000' }],
    waiting: [{ kind: 'demand' }, { kind: 'alive' }],
  })
  expect((await leave('carol')).json()).toMatchObject({ sent: [], waiting: [{ kind: 'demand', amount: 10 * USDC }, { kind: 'alive' }] })
})

onAnvil('the operator vanishes: a demand freezes the vault, and everybody takes their cash', async () => {
  await world.server.remove()
  await world.pass(3)
  const carol = (await leave('carol')).json()
  expect(kinds(carol.sent)).toEqual(['freeze_for', 'exit', 'refund'])
  expect(kinds(carol.waiting)).toEqual(['result'])
  expect(await world.balanceOf(walletOf('carol').address)).toBe(BigInt((250 - 30 + 50) * USDC))

  await world.send('guardian', world.token, onToken('mint', await depositAddressOf('bob'), 5n * 10n ** 6n))
  const bob = await leave('bob')
  expect(kinds(bob.json().sent)).toEqual(['exit', 'rescue'])
  // What was paid after the root is in his leaf still, and he has it already.
  expect(await world.balanceOf(walletOf('bob').address)).toBe(BigInt((500 * 100 - 60 * 42) * 10_000 + 5 * USDC))

  // The file is older than the last root: its own proof does not count, the mirror's does.
  expect(kinds((await augury(`exit ${files.alice} --json`, 'alice')).json().waiting)).toEqual(['no_leaves'])
  expect(kinds((await leave('alice')).json().sent)).toEqual(['exit'])
  const cash = (1_000 - 60) * 100 + 60 * 42 - 40 * 100 + 20 * 100
  expect(await world.balanceOf(walletOf('alice').address)).toBe(BigInt(cash * 10_000))
})

async function depositAddressOf(name: Name): Promise<Hex> {
  const { addresses, anvil } = world
  const [address] = await depositAddresses(
    anvil.node,
    addresses.depositorFactory,
    [walletOf(name).address],
    (await anvil.node.block('latest'))!,
  )
  return address!
}

onAnvil('the vault refuses a leaf of another, a second exit, and a path of another root', async () => {
  const { anvil, vault } = world
  const at = (await anvil.node.block('latest'))!
  const refused = (name: Name, file: ExitFile) => {
    const [usdc] = file.proof.assets
    const data = exitData(file.salt, usdc!, walletOf(name).address)
    return refusalOf(anvil.node, { chainId: 31_337, address: vault, block: 0 }, walletOf(name).address, data, at)
  }
  expect(await refused('alice', fileOf(files.bob))).toBe('BadPath()')
  expect(await refused('bob', fileOf(files.bob))).toBe('NothingDue()')
  expect(await refused('alice', old)).toBe('BadPath()')
  expect((await leave('bob')).json()).toMatchObject({ sent: [], waiting: [{ kind: 'result' }] })
  expect(await augury(`exit ${files.bob} --mirror ${mirror}`, 'alice')).toMatchObject({
    code: 2,
    error: expect.stringContaining('other_wallet'),
  })
})

onAnvil('a damaged mirror, another chain and a file that is none are refused', async () => {
  const bad = join(world.folder, 'bad')
  mkdirSync(bad)
  for (const name of readdirSync(mirror)) {
    copyFileSync(join(mirror, name), join(bad, name))
    const text = readFileSync(join(bad, name), 'utf8')
    writeFileSync(
      join(bad, name),
      text.replace(/"leaves":"./, (found) => `${found.slice(0, -1)}${found.endsWith('0') ? '1' : '0'}`),
    )
  }
  expect(await augury(`exit ${files.bob} --mirror ${bad}`, 'bob')).toMatchObject({ code: 1, error: expect.stringContaining('bad_mirror') })
  expect(await augury(`exit ${join(bad, readdirSync(bad)[0]!)}`, 'bob')).toMatchObject({
    code: 2,
    error: expect.stringContaining('bad_exit_file'),
  })
  const elsewhere = join(world.folder, 'elsewhere.json')
  const file = fileOf(files.bob)
  writeFileSync(elsewhere, JSON.stringify({ ...file, chain: { ...file.chain, id: 1 } }))
  expect(await augury(`exit ${elsewhere}`, 'bob')).toMatchObject({ code: 1, error: expect.stringContaining('wrong_chain') })
  writeFileSync(elsewhere, JSON.stringify({ ...file, chain: { ...file.chain, vault: walletOf('bob').address } }))
  expect(await augury(`exit ${elsewhere}`, 'bob')).toMatchObject({ code: 1, error: expect.stringContaining('no_vault') })
})

onAnvil('a month later positions pay by the last root, until the vault holds exactly nothing', async () => {
  await world.pass(30)
  const said = await augury(`exit ${files.alice} --mirror ${mirror}`, 'alice')
  expect(said.out).toMatch(/^Fix what 0x[0-9a-f]{64} pays as the last root says: 0\.\d+ for a Yes\.\n {2}transaction 0x[0-9a-f]{64}\n/)
  expect(said.out).toMatch(/\nNothing of yours is left in the vault\.$/)
  for (const name of ['bob', 'carol'] as const) expect((await leave(name)).json().waiting).toEqual([])
  expect(await world.balanceOf(world.vault)).toBe(0n)
  const all = await Promise.all(members.map((name) => world.balanceOf(walletOf(name).address)))
  expect(all.reduce((sum, amount) => sum + amount)).toBe(BigInt((1_000 + 500 + 250 + 50 + 5) * USDC))
  // Half a Yes of rain and a third of the cup, and what snow paid.
  expect(all[2]).toBe(BigInt((250 + 50) * USDC))
})
