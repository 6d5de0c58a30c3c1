import { readFile } from 'node:fs/promises'
import { abi as tokenAbi } from '@augury/contracts/generated/test-usdc'
import { expect, type Page, test } from '@playwright/test'
import { encodeFunctionData } from 'viem'
import { expectAccessible } from './accessible.ts'
import { becomeMember } from './member.ts'
import { open } from './open.ts'
import { askNode, giveWallet } from './own-wallet.ts'

/** The chain of the sandbox; null where npm has no Anvil for this platform, and the page says that the ledger alone keeps money. */
async function chainOf(page: Page) {
  const { place } = await (await page.request.get('/api/chain')).json()
  if (place === null) await expect(page.getByText('This sandbox keeps money in its ledger only.')).toBeVisible()
  return place
}

test('play money comes over the chain, leaves over it, and the proof can be kept', async ({ page }) => {
  await becomeMember(page, '/money')
  const place = await chainOf(page)
  if (place === null) return
  const add = page.getByRole('region', { name: 'Add funds' })
  await page.getByRole('button', { name: 'Get $100.00', exact: true }).click()
  const deposit = add.getByRole('region', { name: 'Deposit of $100.00' })
  await expect(deposit.locator('[aria-current=step]')).toContainText('Credited')
  await add.getByText('To your deposit address').click()
  const { address } = await (await page.request.get('/api/deposit-address')).json()
  await expect(add.getByText(address)).toBeVisible()
  await expect(add.getByText(`Send only this USDC, and only on ${place.network}.`)).toBeVisible()
  await expectAccessible(page, 'add funds')

  await page.getByLabel('To the address').fill(place.vault)
  await expect(page.getByLabel('To the address')).toHaveAccessibleDescription(/^This is the vault/)
  const outside = `0x${'ad'.repeat(20)}`
  await page.getByLabel('To the address').fill(outside)
  await page.getByLabel('Amount').fill('25')
  await page.getByRole('button', { name: 'Withdraw $25.00' }).click()
  await page.getByRole('button', { name: 'Yes, withdraw' }).click()
  await expect(page.getByRole('heading', { name: 'Withdrawal of $25.00' })).toBeVisible()
  await expect(page.getByText('The money has left.')).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText(/^0x[0-9a-f]{64}$/)).toBeVisible()

  // The node is asked from this origin too, and takes no header that browsers do not send.
  await page.context().setExtraHTTPHeaders({})
  await open(page, '/verify')
  const reserves = page.getByRole('region', { name: 'Reserves on the chain' })
  await expect(reserves.getByRole('status')).toContainText(/The vault holds what it booked|none of the newest roots/)
  await expect(reserves.getByText('What the vault cannot promise')).toBeVisible()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save the exit file' }).click()
  const file = JSON.parse(await readFile((await (await saved).path())!, 'utf8'))
  expect(file).toMatchObject({ kind: 'augury exit file', chain: { vault: place.vault } })
  await expectAccessible(page, 'proof')
})

test('a wallet deposits with one signature and one transaction', async ({ page }) => {
  const { place } = await (await page.request.get('/api/chain')).json()
  if (place === null) return
  const wallet = await giveWallet(page, place.chain_id, place.rpc_url)
  await askNode(place.rpc_url, 'anvil_setBalance', wallet.address, '0x8ac7230489e80000')
  await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': '198.51.100.250' })
  await open(page, '/login?next=/money')
  await page.getByRole('button', { name: /^Journey wallet/ }).click()
  await expect(page).toHaveURL(/\/money$|\/settings/)
  await open(page, '/money')
  const mint = encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [wallet.address as `0x${string}`, 50_000_000n] })
  await askNode(place.rpc_url, 'anvil_impersonateAccount', wallet.address)
  await askNode(place.rpc_url, 'eth_sendTransaction', { from: wallet.address, to: place.collateral, data: mint })
  await askNode(place.rpc_url, 'anvil_stopImpersonatingAccount', wallet.address)
  const add = page.getByRole('region', { name: 'Add funds' })
  await add.getByText('From your wallet').click()
  await add.getByLabel('Amount').fill('12.5')
  await add.getByRole('button', { name: /^Journey wallet/ }).click()
  const deposit = add.getByRole('region', { name: 'Deposit of $12.50' })
  await expect(deposit.locator('[aria-current=step]')).toContainText('Credited')
  expect(wallet.asked.filter((type) => type === 'Permit' || type === 'transaction')).toEqual(['Permit', 'transaction'])
})
