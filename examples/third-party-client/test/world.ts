import { ClobClient, type CreateOrderOptions, type UserOrder } from '@polymarket/clob-client'
import { ClobClient as NewerClient } from '@polymarket/clob-client-v2'
import { Wallet } from 'ethers5'
import { createWalletClient, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { polygon, polygonAmoy } from 'viem/chains'
import { condition, startExchange } from './exchange.ts'
import { lossyProxy } from './lossy-proxy.ts'

/** Under which circumstances the suite runs: the chain that clients sign for, and whether something stands between. */
export interface Run {
  chain: 80002 | 137
  via: 'direct' | 'a reverse proxy'
}

type Creds = NonNullable<ConstructorParameters<typeof ClobClient>[3]>
/** How a client differs from the usual one. */
interface Choice {
  host?: string
  useServerTime?: boolean
  signatureType?: number
  funder?: string
}

/** A running exchange with a market and its traders. */
export async function openWorld({ chain, via }: Run) {
  const exchange = await startExchange({ chainId: chain })
  const proxy = via === 'direct' ? null : await lossyProxy(exchange.url, () => false)
  const url = proxy?.url ?? exchange.url
  const registered = await exchange.operator.registerCondition({ body: condition('rain') })
  const { metadata, ...plain } = condition('winner', { neg_risk_event: { slug: 'winner-event', size: 2 } })
  const negRisk = await exchange.operator.registerCondition({ body: { ...plain, metadata } })
  const [yes, no] = registered.tokens.map(({ token_id }) => token_id) as [string, string]

  const older = (signer: Wallet, creds?: Creds, { host = url, useServerTime, signatureType, funder }: Choice = {}) => {
    const usual = undefined
    return new ClobClient(
      host,
      chain as never,
      signer,
      creds,
      signatureType as never,
      funder,
      usual,
      useServerTime,
      usual,
      usual,
      usual,
      usual,
      true,
    )
  }
  const newer = (key: `0x${string}`, creds?: Creds, { host = url, signatureType, funder }: Choice = {}) => {
    const account = privateKeyToAccount(key)
    // The transport is never used: signing happens here.
    const signer = createWalletClient({ account, chain: chain === 137 ? polygon : polygonAmoy, transport: http('http://127.0.0.1:1') })
    const wallet = signatureType === undefined ? {} : { signatureType: signatureType as never, funderAddress: funder as never }
    return new NewerClient({ host, chain: chain as never, signer: signer as never, creds: creds as never, throwOnError: true, ...wallet })
  }
  /** A new wallet with money, and both clients under its key. */
  const trader = async (amount = '1000') => {
    const key = generatePrivateKey()
    const wallet = new Wallet(key)
    const creds = await older(wallet).createApiKey()
    if (amount !== '0') await exchange.operator.faucet({ body: { address: wallet.address, amount } })
    return { key, wallet, creds, v1: older(wallet, creds), v2: newer(key, creds) }
  }
  /** Places a limit order by either client: their types differ, what they do does not. */
  const place = (client: ClobClient | NewerClient, order: UserOrder, options: Partial<CreateOrderOptions>) =>
    (client as ClobClient).createAndPostOrder(order, options) as Promise<{ orderID: string; status: string }>
  const status = (call: Promise<unknown>) =>
    call.then(
      (answer) => (answer as { status?: unknown })?.status ?? 200,
      (error: { status?: number; response?: { status: number } }) => error.status ?? error.response?.status ?? String(error),
    )
  const close = async () => {
    proxy?.close()
    await exchange.close()
  }
  const market = registered.condition_id
  return { exchange, url, chain, market, yes, no, negRiskYes: negRisk.tokens[0]!.token_id, older, newer, trader, place, status, close }
}

export type World = Awaited<ReturnType<typeof openWorld>>
export type Trading = Awaited<ReturnType<World['trader']>>
