import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { abi as tokenAbi } from '@augury/contracts/generated/test-usdc'
import { abi as vaultAbi } from '@augury/contracts/generated/vault'
import { webSettings } from '@augury/settings/env'
import { type APIRequestContext, expect, type Page, test } from '@playwright/test'
import { createTestClient, encodeFunctionData, type Hex, http, isAddressEqual, parseEventLogs, publicActions, walletActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { becomeMember } from './member.ts'
import { open } from './open.ts'
import { giveWallet } from './own-wallet.ts'

/** The vault's chain, as the site tells it. Null where the ledger alone keeps money: npm has no Anvil for this platform. */
async function chainOf(request: APIRequestContext) {
  const { place } = await (await request.get('/api/chain')).json()
  if (place === null) return null
  const { rpc_url: rpc, chain_id: id, vault, collateral } = place as { rpc_url: string; chain_id: number; vault: Hex; collateral: Hex }
  const node = createTestClient({ mode: 'anvil', transport: http(rpc), pollingInterval: 100 })
    .extend(publicActions)
    .extend(walletActions)
  return {
    ...{ rpc, id, vault },
    /** Millionths of the collateral that an address holds. */
    balanceOf: (owner: Hex) => node.readContract({ abi: tokenAbi, address: collateral, functionName: 'balanceOf', args: [owner] }),
    giveGas: (address: Hex) => node.setBalance({ address, value: 10n ** 18n }),
    /** Mints coins from an account of its own, and waits for the block. Returns the transaction. */
    async mint(to: Hex, amount: bigint): Promise<Hex> {
      const account = privateKeyToAccount(generatePrivateKey())
      await node.setBalance({ address: account.address, value: 10n ** 18n })
      const data = encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [to, amount] })
      const hash = await node.sendTransaction({ account, chain: null, to: collateral, data })
      await node.waitForTransactionReceipt({ hash })
      return hash
    },
    /** Runs while the chain makes no blocks: no root is posted, so no payment begins. */
    async still(work: () => Promise<void>): Promise<void> {
      await node.setAutomine(false)
      try {
        await work()
      } finally {
        await node.setAutomine(true)
        await node.mine({ blocks: 1 })
      }
    },
    /** The vault's events in the transaction that a region of the page shows. */
    async eventsIn(region: ReturnType<Page['locator']>) {
      const shown = region.getByText(/^0x[0-9a-f]{64}$/)
      await expect(shown).toBeVisible()
      const { status, logs } = await node.getTransactionReceipt({ hash: (await shown.textContent()) as Hex })
      expect(status).toBe('success')
      return parseEventLogs({ abi: vaultAbi, logs: logs.filter(({ address }) => isAddressEqual(address, vault)) })
    },
  }
}

/** The settler works beside all of a test run: generous. */
const PATIENCE = { timeout: 60_000 }

const deposited = (account: Hex, amount: bigint) =>
  expect.arrayContaining([expect.objectContaining({ eventName: 'Deposited', args: expect.objectContaining({ account, amount }) })])

/** The deposit of an amount, once the page says that it is credited. */
async function credited(page: Page, amount: string) {
  const deposit = page.getByRole('region', { name: `Deposit of ${amount}` })
  await expect(deposit.locator('[aria-current=step]')).toContainText('Credited', PATIENCE)
  return deposit
}

test('a member with a wallet adds funds by a permit and one transaction', async ({ page }) => {
  const chain = await chainOf(page.request)
  if (chain === null) return
  const wallet = await giveWallet(page, chain.id, chain.rpc)
  await Promise.all([chain.giveGas(wallet.address), chain.mint(wallet.address, 60_000_000n)])
  await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': '203.0.113.61' })
  await open(page, '/login?next=/money')
  await page.getByRole('button', { name: /^Journey wallet/ }).click()
  await expect(page).toHaveURL(/\/money$/)

  const add = page.getByRole('region', { name: 'Add funds' })
  await add.getByText('From your wallet').click()
  await add.getByLabel('Amount').fill('61')
  await add.getByRole('button', { name: /^Journey wallet/ }).click()
  await expect(add.getByText('Your wallet has $60.00 of this USDC')).toBeVisible()
  await add.getByLabel('Amount').fill('40')
  await add.getByRole('button', { name: /^Journey wallet/ }).click()
  const deposit = await credited(page, '$40.00')
  expect(wallet.asked).toEqual(['message', 'Permit'])
  expect(await chain.eventsIn(deposit)).toEqual(deposited(wallet.address, 40_000_000n))
})

test('coins sent to the deposit address are credited, and a withdrawal of them is paid by the vault', async ({ page }) => {
  const chain = await chainOf(page.request)
  if (chain === null) return
  await becomeMember(page, '/money')
  const { address } = await (await page.request.get('/api/deposit-address')).json()
  const add = page.getByRole('region', { name: 'Add funds' })
  await add.getByText('To your deposit address').click()
  await expect(add.getByText(address, { exact: true })).toBeVisible()
  const withdraw = page.getByRole('region', { name: 'Withdraw' })
  const account = (await withdraw.getByLabel('To the address').inputValue()) as Hex
  await chain.mint(address, 30_000_000n)
  expect(await chain.eventsIn(await credited(page, '$30.00'))).toEqual(deposited(account, 30_000_000n))

  const to = privateKeyToAccount(generatePrivateKey()).address
  await withdraw.getByLabel('To the address').fill(to)
  await withdraw.getByLabel('Amount').fill('25')
  await withdraw.getByRole('button', { name: 'Withdraw $25.00' }).click()
  await withdraw.getByRole('button', { name: 'Yes, withdraw' }).click()
  await expect(page.getByRole('heading', { name: 'Withdrawal of $25.00' })).toBeVisible()
  await expect(page.locator('[aria-current=step]')).toContainText('Settled', PATIENCE)
  const paid = { account, to, amount: 25_000_000n }
  expect(await chain.eventsIn(page.locator('main'))).toEqual(
    expect.arrayContaining([expect.objectContaining({ eventName: 'Paid', args: expect.objectContaining(paid) })]),
  )
})

test('a withdrawal is cancelled before its payment begins, and the money is back', async ({ page }) => {
  const chain = await chainOf(page.request)
  if (chain === null) return
  await becomeMember(page, '/money')
  const { address } = await (await page.request.get('/api/deposit-address')).json()
  await chain.mint(address, 12_000_000n)
  await credited(page, '$12.00')
  const withdraw = page.getByRole('region', { name: 'Withdraw' })
  await chain.still(async () => {
    await withdraw.getByLabel('To the address').fill(privateKeyToAccount(generatePrivateKey()).address)
    await withdraw.getByLabel('Amount').fill('12')
    await withdraw.getByRole('button', { name: 'Withdraw $12.00' }).click()
    await withdraw.getByRole('button', { name: 'Yes, withdraw' }).click()
    await expect(page.getByRole('heading', { name: 'Withdrawal of $12.00' })).toBeVisible()
    await expect(page.locator('[aria-current=step]')).toContainText('You can cancel it until the payment begins', PATIENCE)
    await page.getByRole('button', { name: 'Cancel this withdrawal' }).click()
    await expect(page.locator('[aria-current=step]')).toContainText('Cancelled', PATIENCE)
  })
  await open(page, '/money')
  await expect(page.getByRole('region', { name: 'Withdraw' })).toContainText('1,012.00 available', PATIENCE)
})

test('a wallet adds and withdraws funds by the command line', async ({ request }) => {
  const chain = await chainOf(request)
  if (chain === null) return
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  await Promise.all([chain.giveGas(address), chain.mint(address, 20_000_000n)])
  const { publicClobUrl, origin } = webSettings()
  const env = { AUGURY_WALLET_KEY: key, AUGURY_URL: publicClobUrl, AUGURY_RPC_URL: chain.rpc }
  const program = join(import.meta.dirname, '../../../packages/cli/src/main.ts')
  const augury = (...words: string[]) => promisify(execFile)(process.execPath, [program, ...words, '--json'], { env })
  const deposit = JSON.parse((await augury('deposit', '20', '--vault', chain.vault)).stdout)
  expect(deposit).toMatchObject({ account: address, amount: '20000000' })
  const to = privateKeyToAccount(generatePrivateKey()).address
  const ref = randomUUID()
  await expect(async () => {
    // Until the deposit is credited, the balance is too low.
    const { stdout } = await augury('withdraw', '15', to, '--site', origin, '--ref', ref)
    expect(JSON.parse(stdout)).toMatchObject({ id: ref, amount: '15000000', destination: to })
  }).toPass(PATIENCE)
  await expect.poll(() => chain.balanceOf(to), PATIENCE).toBe(15_000_000n)
})
