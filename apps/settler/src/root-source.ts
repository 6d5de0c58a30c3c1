import type { AssetLeaves } from '@augury/chain/root-proofs'
import type { ExchangeRoot, RootSource } from '@augury/chain/roots'
import { RefusedError } from '@augury/client/answer'
import { pages } from '@augury/client/pages'
import type { VenueClient } from '@augury/client/rest'
import { weightsTree } from '@augury/contracts/weights'
import type { Platform } from '@augury/platform/site/platform'
import { sha256 } from '@augury/signing/sha256'
import { hexBytes } from '@augury/signing/state-tree'
import type { SignedRoot } from '@augury/wire/proof'
import type { Hex } from 'viem'
import type { Accounts } from './exchange.ts'

/** The operations of the exchange that make and show roots. */
export type Roots = Pick<VenueClient, 'cutStateRoot' | 'getStateRoot' | 'listRootWeights' | 'listRootLeaves'>

const NONE: Hex = `0x${'00'.repeat(32)}`

/**
 * Roots of the exchange with what its accounts had seen of the chain. Deposits count by their sum, which the vault keeps for each number. With
 * `isBacked` a root that names credits which no deposit backs yet is left out: one that is cut later will do.
 */
export function rootSource(roots: () => Promise<Roots>, accounts: Accounts, platform: Platform, isBacked: boolean): RootSource {
  let newest = { n: 0, weights: NONE }
  async function weightsOf(client: Roots, n: number): Promise<Hex> {
    if (newest.n === n) return newest.weights
    const held = await client.listRootWeights({ params: { n: String(n) } })
    const weights = held.map(({ market, weight }) => ({ condition: market as Hex, weight }))
    newest = { n, weights: weightsTree(sha256, weights).commitment }
    return newest.weights
  }

  async function told(ask: (client: Roots) => Promise<SignedRoot>): Promise<ExchangeRoot | null> {
    const client = await roots()
    const signed = await ask(client).catch(unlessNone)
    if (!signed) return null
    if (accounts.known() < signed.seq && (await accounts.refresh()) < signed.seq)
      throw new Error('the history of the exchange is behind its roots')
    const { n, seq, at, root, assets, hash } = signed
    const upTo = <One extends { seq: number }>(all: Iterable<One>) => [...all].filter((one) => one.seq <= seq)
    const credited = upTo(accounts.credits.values()).reduce((sum, { amount }) => sum + amount, 0)
    const ends = upTo([...accounts.logged.values()].flatMap(({ end }) => (end?.status === 'settled' ? [end] : [])))
    const deposits = await depositsOf(platform, credited, isBacked)
    if (deposits === null) return null
    const weights = await weightsOf(client, n)
    return { n, seq, at, root, assets, custody: Number(signed.custody), hash, deposits, payments: ends.length, weights }
  }
  return {
    latest: () => told((client) => client.getStateRoot({ params: { n: 'latest' } })),
    cut: () => told((client) => client.cutStateRoot()),
  }
}

/** Reads all leaves of a root from the exchange. */
export async function rootLeaves(client: Pick<Roots, 'listRootLeaves'>, n: number): Promise<AssetLeaves[]> {
  const assets: { market: Hex | null; outcome: 0 | 1 | null; parts: string[] }[] = []
  for await (const { market, outcome, from, leaves } of pages((next_cursor) =>
    client.listRootLeaves({ params: { n: String(n) }, query: { next_cursor } }),
  ))
    if (from === 0) assets.push({ market: market as Hex | null, outcome, parts: [leaves] })
    else assets.at(-1)?.parts.push(leaves)
  return assets.map(({ parts, ...asset }) => ({ ...asset, leaves: hexBytes(`0x${parts.join('')}`) }))
}

/** Number of the deposit with which the vault had received a sum, or of the last one below it; with `isExact` null where there is none. */
async function depositsOf(platform: Platform, credited: number, isExact: boolean): Promise<number | null> {
  if (credited === 0) return 0
  const [row]: { n: number; total: string }[] = await platform
    .em()
    .execute('select n, total from chain.deposit where total <= ? order by n desc limit 1', [credited])
  return isExact && Number(row?.total ?? 0) !== credited ? null : (row?.n ?? 0)
}

function unlessNone(error: unknown): null {
  if (error instanceof RefusedError && error.code === 'not_found') return null
  throw error
}
