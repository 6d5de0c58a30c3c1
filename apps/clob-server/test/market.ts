import { conditionRequest } from '@augury/testing/condition-request'
import type { PrivateKeyAccount } from 'viem/accounts'
import { Caller, send } from './caller.ts'
import { type RunningServer, wallets } from './running-server.ts'

/** A registered market and its two tokens. */
export interface TestMarket {
  condition: string
  yes: string
  no: string
}

const operators = new WeakMap<RunningServer, Promise<Caller>>()

/** The venue's operator, who signs in once: a test of many markets would otherwise spend its time on that. */
function operatorOf(running: RunningServer): Promise<Caller> {
  const known = operators.get(running) ?? Caller.of(running.url, wallets.operator, 'venue')
  operators.set(running, known)
  return known
}

/** Registers a market by the venue's operator. */
export async function registerMarket(running: RunningServer, slug: string, changes: Record<string, unknown> = {}): Promise<TestMarket> {
  const operator = await operatorOf(running)
  const { status, body } = await operator.call('POST', '/operator/conditions', { ...conditionRequest(slug), ...changes })
  if (status !== 200) throw new Error(`not registered: ${JSON.stringify(body)}`)
  return { condition: body.condition_id, yes: body.tokens[0].token_id, no: body.tokens[1].token_id }
}

/** Play money. */
export async function fund(url: string, address: string, amount: string): Promise<void> {
  const { status, body } = await send(url, 'POST', '/sandbox/faucet', JSON.stringify({ address, amount }))
  if (status !== 200) throw new Error(`no money: ${JSON.stringify(body)}`)
}

/** The caller behind a wallet, with play money. */
export async function funded(url: string, wallet: PrivateKeyAccount, amount: string): Promise<Caller> {
  await fund(url, wallet.address, amount)
  return Caller.of(url, wallet)
}

/** A limit order without a name; `more` adds to it, or changes it. */
export const unnamedLimit = (tokenId: string, side: 'BUY' | 'SELL', price: string, size: string, more: object = {}) => ({
  ...{ tokenId, side, orderType: 'GTC', price, size },
  ...more,
})
/** A limit order under a name of its own. */
export const limit = (tokenId: string, side: 'BUY' | 'SELL', price: string, size: string, more: object = {}) => ({
  ...unnamedLimit(tokenId, side, price, size),
  clientOrderId: crypto.randomUUID() as string,
  ...more,
})
