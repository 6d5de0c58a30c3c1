import type { BalanceFinding } from '@augury/client/verify-balance'
import type { RootFault } from '@augury/client/verify-root'
import type { Position } from '@augury/wire/data'
import type { SignedRoot } from '@augury/wire/proof'
import { ask } from '#lib/failure/site-call.ts'
import { m } from '#lib/paraglide/messages.js'

/** As many as the site answers at once. */
const POSITIONS = 500

/** What a browser found out about the chain of roots. */
export type ChainState =
  | { kind: 'checking' }
  | { kind: 'unsupported' }
  | { kind: 'good'; roots: number }
  | { kind: 'bad'; n: number; fault: RootFault }

const texts: Readonly<Record<RootFault, () => string>> = {
  hash: m.verify_fault_hash,
  signature: m.verify_fault_signature,
  sums: m.verify_fault_sums,
  missing: m.verify_fault_missing,
  chain: m.verify_fault_chain,
  backwards: m.verify_fault_backwards,
  key: m.verify_fault_key,
}

/** What is wrong with a root, in words. */
export const faultText = (fault: RootFault): string => texts[fault]()

/** Whether a browser has what it takes: Ed25519, and a page that may use it. */
const isUnsupported = (error: unknown): boolean =>
  globalThis.crypto?.subtle === undefined ||
  (error instanceof DOMException && (error.name === 'NotSupportedError' || error.name === 'SyntaxError'))

/** Checks roots that come newest first, here and now. */
export async function checkChain(roots: readonly SignedRoot[]): Promise<ChainState> {
  const { checkRoots } = await import('@augury/client/verify-root')
  try {
    const [first] = await checkRoots(roots.toReversed())
    return first ? { kind: 'bad', ...first } : { kind: 'good', roots: roots.length }
  } catch (error) {
    if (isUnsupported(error)) return { kind: 'unsupported' }
    throw error
  }
}

/** What the site calls shares that are held now. The proof itself knows markets by their condition only. */
export type HeldName = Pick<Position, 'title' | 'outcome' | 'eventSlug' | 'slug'>

/** A key of `names`: an outcome of a condition. */
export const heldKey = (condition: string, outcome: number): string => `${condition.toLowerCase()} ${outcome}`

interface OwnCheck {
  n: number
  findings: BalanceFinding[]
  /** False when any balance does not lead to the root, or the root is not one of the chain, or that is not whole. */
  isGood: boolean
  /** By `heldKey`; nothing for what was held at the root and is gone since. */
  names: ReadonlyMap<string, HeldName>
}

/** The member's own balances, each followed to a root of the chain that everybody is shown. `readRoots` reads that once the proof is there. */
export async function checkOwn(address: string, readRoots: () => Promise<readonly SignedRoot[]>): Promise<OwnCheck> {
  const [proof, positions, { checkBalanceIn }] = await Promise.all([
    ask('getOwnProof', {}),
    ask('listPositions', { query: { limit: POSITIONS } }),
    import('@augury/client/verify-balance'),
  ])
  const roots = await readRoots()
  const findings = checkBalanceIn(roots, proof, address)
  const chain = await checkChain(roots)
  const isSigned = chain.kind === 'good' || chain.kind === 'unsupported'
  const isCounted = findings?.every(({ fault }) => fault === null) ?? false
  const names = new Map(positions.map((held) => [heldKey(held.conditionId, held.outcomeIndex), held]))
  return { n: proof.root.n, findings: findings ?? [], isGood: isSigned && isCounted, names }
}
