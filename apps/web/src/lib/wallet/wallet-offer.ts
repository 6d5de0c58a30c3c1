import type { WalletChain } from '@augury/wire/platform/wallet-chain'

/** What the site tells a page on which a wallet is chosen. */
export interface WalletOffer {
  /** The exchange's chain, for wallets that lack it; null if no public node of it is known. */
  chain: WalletChain | null
  /** Project id of WalletConnect; null where it is not offered. */
  walletConnect: string | null
}

const NOTHING: WalletOffer = { chain: null, walletConnect: null }

let read: Promise<WalletOffer> | null = null

/** Reads what the site offers, once a page; without an answer that is nothing, and the next call asks again. */
export function walletOffer(): Promise<WalletOffer> {
  read ??= fetch('/wallets')
    .then((answer) => (answer.ok ? (answer.json() as Promise<WalletOffer>) : forget()))
    .catch(forget)
  return read
}

function forget(): WalletOffer {
  read = null
  return NOTHING
}
