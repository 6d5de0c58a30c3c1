import { tables } from '@augury/domain/platform/tables'
import { parseUsdc } from '@augury/units/decimal'
import { MICROS } from '@augury/units/usdc'
import { FAUCET_USDC } from '@augury/wire/limits'
import type { Input, Output } from '@augury/wire/operation'
import type { portfolioOperations } from '@augury/wire/platform/portfolio'
import { ServiceError } from '@augury/wire/service-error'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Hex } from 'viem'
import type { Member } from '../authorization/viewer.ts'
import { vaultOf } from '../chain/place.ts'
import { asRefusal } from '../exchange/exchange-refusals.ts'
import type { Site, SiteSettings } from '../site/site.ts'
import type { TestChain } from './test-coins.ts'

type Operation = (typeof portfolioOperations)['takeFromFaucet']
type Given = Output<Operation>

/** Milliseconds that the answer waits for the money to arrive: the settler of a sandbox takes about one second. */
const ARRIVES_WITHIN_MS = 8_000
const LOOK_MS = 100
/** What each account got in a day through the chain, of this process: a sandbox has one, and its money is worth nothing. */
const given = new RateLimiterMemory({ points: FAUCET_USDC * MICROS, duration: 24 * 60 * 60 })

/**
 * Gives play money: in a sandbox with a chain, test coins that are deposited in the vault and arrive as every deposit does. Throws `not_found`
 * outside a sandbox.
 */
export async function takeFromFaucet(site: Site, member: Member, { body }: Pick<Input<Operation>, 'body'>): Promise<Given> {
  if (site.settings.mode !== 'sandbox') throw new ServiceError('not_found')
  const chain = testChainOf(site.settings)
  if (chain) return giveThroughChain(site, chain, member.address, body)
  const exchange = await site.exchange.reader() // signed, because by our address all members would share one budget
  try {
    await exchange.faucet({ body: { address: member.address, ...body } })
  } catch (error) {
    throw asRefusal(error, true)
  }
  return { arrived: true, transaction_hash: null }
}

/** The chain of a sandbox; null where money moves in the ledger alone. */
function testChainOf(settings: SiteSettings): TestChain | null {
  const { chainId, rpcUrl } = settings
  const vault = vaultOf(settings)
  return vault && rpcUrl ? { chainId, rpcUrl, vault: vault.address, collateral: vault.collateral } : null
}

async function giveThroughChain(
  site: Site,
  chain: TestChain,
  account: Hex,
  { amount: text, ref }: Input<Operation>['body'],
): Promise<Given> {
  const { giveTestCoins } = await import('./test-coins.ts') // with the code of the contracts, which a deployment does not load
  const amount = parseUsdc(text)
  const least = site.settings.minDeposit ?? MICROS
  if (amount > FAUCET_USDC * MICROS) throw new ServiceError('invalid_amount', { text: `the amount must be at most ${FAUCET_USDC}` })
  if (amount < least) throw new ServiceError('invalid_amount', { text: `the amount must be at least ${least / MICROS}` })
  const spend = () =>
    given.consume(account, amount).catch(() => {
      throw new ServiceError('faucet_limit', { retryAfter: 3600 })
    })
  const transaction_hash = await giveTestCoins(chain, { account, name: ref ?? crypto.randomUUID(), amount }, spend)
  return { arrived: await arrives(site, transaction_hash), transaction_hash }
}

/** Whether the settler credits the deposit of a transaction in time. */
async function arrives(site: Site, transaction: Hex): Promise<boolean> {
  for (const until = Date.now() + ARRIVES_WITHIN_MS; Date.now() < until; await new Promise((resolve) => setTimeout(resolve, LOOK_MS))) {
    const row = await tables(site.em())
      .selectFrom('chain.deposit')
      .select('credited_at')
      .where('transaction', '=', transaction)
      .where('credited_at', 'is not', null)
      .executeTakeFirst()
    if (row) return true
  }
  return false
}
