import type { WalletChain } from '@augury/wire/platform/wallet-chain'
import { getAddress, getTypesForEIP712Domain, type Hex, numberToHex, serializeTypedData, stringToHex } from 'viem'
import { m } from '#lib/paraglide/messages.js'
import { shortAddress } from '#lib/people/person.ts'
import type { Provider } from './announced-wallets.ts'
import { type FailureKind, kindOf, textOf } from './provider-failure.ts'
import { type ChainWallet, type SiteWallet, WalletDeclined } from './site-wallet.ts'

/** What a wallet is needed for. */
export interface Need {
  /** The exchange's chain: wallets sign typed data for their current chain only. */
  chainId: number
  /** Parameters with which a wallet adds the chain (EIP-3085); null if they are not known. */
  chain: WalletChain | null
  /** Checksummed address of the member whose wallet it must be; null for any. */
  account: string | null
}

/** Connects to a wallet by its provider. Every failure of the wallet is thrown as `WalletDeclined`. */
export async function extensionWallet(provider: Provider, need: Need): Promise<SiteWallet> {
  const address = await chosenAccount(provider, need.account)
  return {
    address,
    async signMessage({ message }) {
      await requireAccount(provider, address)
      return request<Hex>(provider, 'personal_sign', [stringToHex(message), address])
    },
    async signTypedData(data) {
      await requireAccount(provider, address)
      await requireChain(provider, need)
      const types = { EIP712Domain: getTypesForEIP712Domain(data), ...data.types }
      return request<Hex>(provider, 'eth_signTypedData_v4', [address, serializeTypedData({ ...data, types })])
    },
    async onChain(genesis) {
      await requireAccount(provider, address)
      await requireChain(provider, need)
      await requireFirstBlock(provider, need, genesis)
      return chainWallet(provider, address)
    },
    follow(changed) {
      const listener = (accounts: unknown) => {
        if (!addressesIn(accounts).includes(address)) changed(m.wallet_changed())
      }
      provider.on?.('accountsChanged', listener)
      return () => void provider.removeListener?.('accountsChanged', listener)
    },
  }
}

/** Connects, and returns the needed account or the wallet's first. Lets the user pick another one if the wallet offers the wrong one. */
async function chosenAccount(provider: Provider, account: string | null): Promise<Hex> {
  const offered = addressesIn(await request(provider, 'eth_requestAccounts'))
  if (account === null && offered[0]) return offered[0]
  const needed = offered.find((each) => each === account)
  if (needed) return needed
  await attempt(provider, 'wallet_requestPermissions', [{ eth_accounts: {} }], ['no_method', 'no_account', 'other'])
  const picked = addressesIn(await request(provider, 'eth_accounts'))
  const again = account === null ? picked[0] : picked.find((each) => each === account)
  if (again) return again
  const [other] = picked
  if (account === null || !other) throw new WalletDeclined(m.wallet_no_account())
  throw new WalletDeclined(m.wallet_other_account({ has: shortAddress(other), needs: shortAddress(account) }))
}

/** Throws if the wallet no longer offers the account, before anything is signed with another one. */
async function requireAccount(provider: Provider, address: Hex): Promise<void> {
  const accounts = addressesIn(await request(provider, 'eth_accounts'))
  // A wallet that was locked meanwhile lists no account until it is opened.
  const offered = accounts.length > 0 ? accounts : addressesIn(await request(provider, 'eth_requestAccounts'))
  if (!offered.includes(address)) throw new WalletDeclined(m.wallet_changed())
}

/** Switches the wallet to the chain, and offers it where the wallet lacks it. */
async function requireChain(provider: Provider, { chainId, chain }: Need): Promise<void> {
  const id = numberToHex(chainId)
  const isThere = async () => Number(await request<string | number>(provider, 'eth_chainId')) === chainId
  const lacking: FailureKind[] = ['no_chain', 'no_method']
  if (await isThere()) return
  const failed = await attempt(provider, 'wallet_switchEthereumChain', [{ chainId: id }], lacking)
  if (failed !== null) {
    if (chain === null) throw new WalletDeclined(m.wallet_no_chain({ chain: chainId }))
    if ((await attempt(provider, 'wallet_addEthereumChain', [chain], lacking)) !== null)
      throw new WalletDeclined(m.wallet_no_chain({ chain: chain.chainName }))
    // Not every wallet switches to a chain that it has added.
    if (!(await isThere())) await request(provider, 'wallet_switchEthereumChain', [{ chainId: id }])
  }
  if (!(await isThere())) throw new WalletDeclined(m.wallet_wrong_chain({ chain: chain?.chainName ?? chainId }))
}

/**
 * Throws unless the wallet's node shows the same first block as the site's. A chain of a sandbox may have the number of a public one, and a wallet
 * that knows the number would send to that one.
 */
async function requireFirstBlock(provider: Provider, { chain, chainId }: Need, genesis: Hex): Promise<void> {
  const isOurs = async () => {
    const block = await request<{ hash?: unknown } | null>(provider, 'eth_getBlockByNumber', ['0x0', false])
    return String(block?.hash).toLowerCase() === genesis
  }
  if (await isOurs()) return
  if (chain !== null) await attempt(provider, 'wallet_addEthereumChain', [chain], ['no_chain', 'no_method', 'declined', 'other'])
  if (!(await isOurs())) throw new WalletDeclined(m.wallet_other_network({ chain: chain?.chainName ?? chainId }))
}

/** Reads and sends by the wallet's own node, after it was recognised. */
const chainWallet = (provider: Provider, from: Hex): ChainWallet => ({
  call: (to, data) => request<Hex>(provider, 'eth_call', [{ from, to, data }, 'latest']),
  time: async () => Number((await request<{ timestamp: Hex }>(provider, 'eth_getBlockByNumber', ['latest', false])).timestamp),
  async send(to, data) {
    await requireAccount(provider, from)
    return request<Hex>(provider, 'eth_sendTransaction', [{ from, to, data }])
  },
  async succeeded(transaction) {
    const receipt = await request<{ status?: unknown } | null>(provider, 'eth_getTransactionReceipt', [transaction])
    return receipt === null ? null : Number(receipt.status) === 1
  },
})

/** Checksummed addresses of an answer; none if it is something else. */
const addressesIn = (accounts: unknown): Hex[] =>
  (Array.isArray(accounts) ? accounts : []).filter((each) => /^0x[0-9a-f]{40}$/i.test(String(each))).map((each) => getAddress(each))

/** Sends a request. Returns null on success, and the kind of a failure that is one of `expected`. Throws others. */
async function attempt(provider: Provider, method: string, params: unknown[], expected: FailureKind[]): Promise<FailureKind | null> {
  try {
    await provider.request({ method, params })
    return null
  } catch (error) {
    const kind = kindOf(error)
    if (expected.includes(kind)) return kind
    throw declined(kind, error)
  }
}

async function request<Answer>(provider: Provider, method: string, params: unknown[] = []): Promise<Answer> {
  try {
    return (await provider.request({ method, params })) as Answer
  } catch (error) {
    throw declined(kindOf(error), error)
  }
}

function declined(kind: FailureKind, error: unknown): WalletDeclined {
  if (kind === 'declined') return new WalletDeclined(m.wallet_declined())
  if (kind === 'no_account') return new WalletDeclined(m.wallet_changed())
  if (kind === 'pending') return new WalletDeclined(m.wallet_pending())
  return new WalletDeclined(m.wallet_refused({ why: textOf(error) || '–' }))
}
