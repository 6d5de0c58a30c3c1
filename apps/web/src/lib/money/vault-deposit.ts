import { abi as tokenAbi } from '@augury/contracts/generated/test-usdc'
import { abi as vaultAbi } from '@augury/contracts/generated/vault'
import type { ChainPlace } from '@augury/wire/platform/deposits'
import { decodeFunctionResult, domainSeparator, encodeFunctionData, type Hex, parseSignature, type TypedDataDomain } from 'viem'
import { exactMoney } from '#lib/language/numbers.ts'
import { m } from '#lib/paraglide/messages.js'
import { type ChainWallet, type SiteWallet, WalletDeclined } from '#lib/wallet/site-wallet.ts'

/** Deposits from a wallet into the vault. Loaded on first use, because it brings the contracts' interfaces. */

/** What the wallet's owner waits for, or is asked for. */
export type DepositStep = 'check' | 'sign' | 'approve' | 'send'

/** A deposit that was sent. */
export interface SentDeposit {
  transaction: Hex
  chain: ChainWallet
}

/** Seconds for which a permit is good. */
const PERMIT_SECONDS = 3600
/** Milliseconds between two looks at an approval, and after which it is no longer waited for. */
const LOOK_MS = 1000
const APPROVAL_MS = 180_000
/** Versions of USDC's signing domain that are tried: its own comes first, where the token tells it. */
const VERSIONS = ['2', '1']

const PERMIT = {
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

/**
 * Deposits millionths of USDC for the wallet's own account: by a signed permit and one transaction, or, where the token or the wallet has no permits,
 * by an approval and a deposit. `tell` is called with each step. Throws `WalletDeclined` before anything moved.
 */
export async function depositFromWallet(
  wallet: SiteWallet,
  place: ChainPlace,
  amount: number,
  tell: (step: DepositStep) => void,
): Promise<SentDeposit> {
  tell('check')
  if (place.genesis_hash === null) throw new WalletDeclined(m.fund_no_genesis())
  if (!wallet.onChain) throw new WalletDeclined(m.fund_no_wallet_chain())
  const chain = await wallet.onChain(place.genesis_hash)
  const token = tokenOf(chain, place.collateral)
  const held = await token.balanceOf(wallet.address)
  if (held < BigInt(amount)) throw new WalletDeclined(m.fund_too_little({ money: exactMoney(Number(held)), network: place.network }))
  const data = (await permitted(wallet, chain, place, amount, tell)) ?? (await approved(wallet, chain, place, amount, tell))
  tell('send')
  await chain.call(place.vault, data) // shows a refusal of the vault before gas is spent
  return { transaction: await chain.send(place.vault, data), chain }
}

/** Calldata of a deposit by permit; null where the token has none, or the wallet signs in another form. */
async function permitted(
  wallet: SiteWallet,
  chain: ChainWallet,
  place: ChainPlace,
  amount: number,
  tell: (step: DepositStep) => void,
): Promise<Hex | null> {
  const { collateral, vault, chain_id } = place
  const token = tokenOf(chain, collateral)
  const domain = await signingDomain(token, collateral, chain_id)
  if (!domain) return null
  const [nonce, now] = await Promise.all([token.nonces(wallet.address), chain.time()])
  const deadline = BigInt(now + PERMIT_SECONDS)
  const message = { owner: wallet.address, spender: vault, value: BigInt(amount), nonce, deadline }
  tell('sign')
  const signature = await wallet.signTypedData({ domain, types: PERMIT, primaryType: 'Permit', message })
  if (signature.length !== 132) return null // a contract wallet: its signature is none of one key
  const { r, s, yParity } = parseSignature(signature)
  return encodeFunctionData({
    abi: vaultAbi,
    functionName: 'depositWithPermit',
    args: [wallet.address, BigInt(amount), deadline, 27 + yParity, r, s],
  })
}

/** Calldata of a deposit, once the vault may take the amount. */
async function approved(
  wallet: SiteWallet,
  chain: ChainWallet,
  { collateral, vault }: ChainPlace,
  amount: number,
  tell: (step: DepositStep) => void,
): Promise<Hex> {
  const token = tokenOf(chain, collateral)
  const isAllowed = async () => (await token.allowance(wallet.address, vault)) >= BigInt(amount)
  if (!(await isAllowed())) {
    tell('approve')
    await chain.send(collateral, encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [vault, BigInt(amount)] }))
    const until = Date.now() + APPROVAL_MS
    while (!(await isAllowed())) {
      if (Date.now() > until) throw new WalletDeclined(m.fund_not_approved())
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
  }
  return encodeFunctionData({ abi: vaultAbi, functionName: 'deposit', args: [wallet.address, BigInt(amount)] })
}

type Token = ReturnType<typeof tokenOf>

/** The token's views that are used here. */
function tokenOf(chain: ChainWallet, address: Hex) {
  const read = async (functionName: 'balanceOf' | 'nonces' | 'allowance' | 'name' | 'DOMAIN_SEPARATOR', ...args: Hex[]) => {
    const data = await chain.call(address, encodeFunctionData({ abi: tokenAbi, functionName, args } as never))
    return decodeFunctionResult({ abi: tokenAbi, functionName, data } as never)
  }
  return {
    balanceOf: async (owner: Hex) => (await read('balanceOf', owner)) as bigint,
    nonces: async (owner: Hex) => (await read('nonces', owner)) as bigint,
    allowance: async (owner: Hex, spender: Hex) => (await read('allowance', owner, spender)) as bigint,
    name: async () => (await read('name')) as string,
    separator: async () => (await read('DOMAIN_SEPARATOR')) as Hex,
  }
}

/** The token's signing domain, proven by its own separator; null where it has no permits, or another domain than is known. */
async function signingDomain(token: Token, verifyingContract: Hex, chainId: number): Promise<TypedDataDomain | null> {
  const known = await Promise.all([token.name(), token.separator()]).catch(() => null)
  if (!known) return null
  const [name, separator] = known
  const domains = VERSIONS.map((version) => ({ name, version, chainId, verifyingContract }))
  return domains.find((domain) => domainSeparator({ domain }) === separator) ?? null
}
