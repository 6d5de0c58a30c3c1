import { lockName, tables } from '@augury/domain/platform/tables'
import type { Input } from '@augury/wire/operation'
import type { SwapOffer, SwapQuote, swapOperations } from '@augury/wire/platform/swap'
import { ServiceError } from '@augury/wire/service-error'
import { getAddress } from 'viem'
import type { Member } from '../authorization/viewer.ts'
import { secretOf } from '../settings/secrets.ts'
import { settingsOf } from '../settings/site-settings.ts'
import type { Site } from '../site/site.ts'
import { lifi } from './lifi.ts'
import { SWAP_CHAINS } from './swap-chains.ts'
import type { SwapProvider } from './swap-provider.ts'

/** The chains and tokens members may bring money from; empty while no integrator is configured. */
export async function swapOffer(site: Site): Promise<SwapOffer> {
  const { integrator } = await settingsOf(site, 'swap')
  return integrator === '' ? { enabled: false, chains: [] } : { enabled: true, chains: SWAP_CHAINS }
}

/**
 * Asks the service what an amount would bring into the member's own wallet. Throws `swap_missing` while no integrator is configured,
 * `swap_token_unknown`, `swap_no_route`, `swap_failed`, and `rate_limited` once the deployment has used up its requests to the service.
 */
export async function quoteSwap(
  site: Site,
  member: Member,
  { query }: Pick<Input<(typeof swapOperations)['swap.quote']>, 'query'>,
): Promise<SwapQuote> {
  const provider = await providerOf(site)
  const { from_chain: chain, from_token, amount } = query
  const token = SWAP_CHAINS.find(({ id }) => id === chain)?.tokens.find(({ address }) => address.toLowerCase() === from_token)
  if (!token) throw new ServiceError('swap_token_unknown')
  await count(site, provider.limit)
  const own = getAddress(member.address) // not the proxy wallet: it has no contract, so nothing that is sent there can be moved again
  const said = await provider.quote({ chain, token: token.address, amount, from: own, to: own })
  return { ...said, from: { ...token, chain_id: chain, amount }, to_address: own }
}

async function providerOf(site: Site): Promise<SwapProvider> {
  const { integrator } = await settingsOf(site, 'swap')
  if (integrator === '') throw new ServiceError('swap_missing')
  const apiKey = await secretOf(site.em(), site.vault, 'swap.apiKey')
  const { swapUrl: url, chainId: toChain, mode } = site.settings
  return lifi({ url, integrator, apiKey, toChain, loopback: mode === 'sandbox' })
}

/** Counts a request in the window that ends now, across all processes: of two that compete for the last place, one is refused. */
function count(site: Site, { questions, seconds }: SwapProvider['limit']): Promise<void> {
  return site.em().transactional(async (em) => {
    await lockName(em, 'augury swap')
    const now = site.now()
    const oldest = await tables(em)
      .selectFrom('swap_request')
      .select('at')
      .where('at', '>', new Date(now.getTime() - seconds * 1000))
      .orderBy('at', 'desc')
      .offset(questions - 1)
      .limit(1)
      .executeTakeFirst()
    if (oldest) {
      const wait = oldest.at.getTime() + seconds * 1000 - now.getTime()
      throw new ServiceError('rate_limited', { retryAfter: Math.max(1, Math.ceil(wait / 1000)) })
    }
    await tables(em).insertInto('swap_request').values({ at: now }).execute()
  })
}
