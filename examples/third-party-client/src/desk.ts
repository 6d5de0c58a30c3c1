import { Chain, ClobClient } from '@polymarket/clob-client'
import { ClobClient as NewerClient } from '@polymarket/clob-client-v2'
import { Wallet } from 'ethers5'
import { createWalletClient, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { polygonAmoy } from 'viem/chains'

/** What is used of the established clients: the same calls in both. */
export type Client = Pick<
  ClobClient,
  | 'createAndPostOrder'
  | 'getOrder'
  | 'getOpenOrders'
  | 'cancelOrder'
  | 'cancelAll'
  | 'getTrades'
  | 'getBalanceAllowance'
  | 'getSamplingMarkets'
  | 'getOrderBook'
  | 'getOrderBookHash'
  | 'getMidpoint'
  | 'getSpread'
  | 'getLastTradePrice'
>

/** A trader with an established client, unmodified. */
export interface Desk {
  /** Which client, and which kind of signer it has. */
  name: 'ethers' | 'viem' | 'newer client'
  address: string
  client: Client
}

type Signer = ConstructorParameters<typeof ClobClient>[2]

/** A new wallet behind an ethers 5 signer. */
export async function ethersDesk(url: string): Promise<Desk> {
  const wallet = new Wallet(generatePrivateKey())
  return { name: 'ethers', address: wallet.address, client: await open(url, wallet) }
}

// The transport is never used: signing happens here.
const viemWallet = () =>
  createWalletClient({ account: privateKeyToAccount(generatePrivateKey()), chain: polygonAmoy, transport: http('http://127.0.0.1:1') })

/** A new wallet behind a viem wallet client. */
export async function viemDesk(url: string): Promise<Desk> {
  const wallet = viemWallet()
  return { name: 'viem', address: wallet.account.address, client: await open(url, wallet as Signer) }
}

/** A new wallet behind the newer client, whose orders sign other fields. */
export async function newerDesk(url: string): Promise<Desk> {
  const signer = viemWallet() as never
  const options = { host: url, chain: Chain.AMOY as never, signer, retryOnError: true, throwOnError: true }
  const creds = await new NewerClient(options).createOrDeriveApiKey()
  const client = new NewerClient({ ...options, creds }) as unknown as Client
  return { name: 'newer client', address: (signer as ReturnType<typeof viemWallet>).account.address, client }
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
