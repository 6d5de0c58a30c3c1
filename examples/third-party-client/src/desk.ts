import { Chain, ClobClient } from '@polymarket/clob-client'
import { Wallet } from 'ethers5'
import { createWalletClient, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { polygonAmoy } from 'viem/chains'

/** Somebody who trades with the established client, unmodified. */
export interface Desk {
  /** Which kind of signer it uses. */
  signer: 'ethers' | 'viem'
  address: string
  client: ClobClient
}

type Signer = ConstructorParameters<typeof ClobClient>[2]

/** A new wallet behind an ethers 5 signer. */
export async function ethersDesk(url: string): Promise<Desk> {
  const wallet = new Wallet(generatePrivateKey())
  return { signer: 'ethers', address: wallet.address, client: await open(url, wallet) }
}

/** A new wallet behind a viem wallet client. */
export async function viemDesk(url: string): Promise<Desk> {
  const account = privateKeyToAccount(generatePrivateKey())
  // The transport is never used: signing happens here.
  const wallet = createWalletClient({ account, chain: polygonAmoy, transport: http('http://127.0.0.1:1') })
  return { signer: 'viem', address: account.address, client: await open(url, wallet as Signer) }
}

/** Creates the wallet's API key, and a client that sends a lost POST again and throws what the service refuses. */
async function open(url: string, signer: Signer): Promise<ClobClient> {
  const credentials = await new ClobClient(url, Chain.AMOY, signer).createOrDeriveApiKey()
  const usual = undefined
  return new ClobClient(url, Chain.AMOY, signer, credentials, usual, usual, usual, usual, usual, usual, true, usual, true)
}

/** Play money for a desk, from the sandbox's faucet. */
export async function fund(url: string, { address }: Desk, amount: string): Promise<void> {
  const response = await fetch(`${url}/sandbox/faucet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address, amount }),
  })
  if (!response.ok) throw new Error(`the faucet answered ${response.status}: ${await response.text()}`)
}
