import type { BalanceFinding } from '@augury/client/verify-balance'
import type { RootFault } from '@augury/client/verify-root'
import type { SignedRoot } from '@augury/wire/proof'
import { m } from '#lib/paraglide/messages.js'
import { ask } from './site-call.ts'

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

/** The member's own balances at the newest root, each followed to it here. `bad` when any does not lead there, or the root is not signed. */
export async function checkOwn(address: string): Promise<{ n: number; findings: BalanceFinding[]; isGood: boolean }> {
  const [proof, { checkBalance }] = await Promise.all([ask('getOwnProof', {}), import('@augury/client/verify-balance')])
  const findings = checkBalance(proof, address)
  const chain = await checkChain([proof.root])
  const isSigned = chain.kind === 'good' || chain.kind === 'unsupported'
  return { n: proof.root.n, findings, isGood: isSigned && findings.every(({ fault }) => fault === null) }
}
