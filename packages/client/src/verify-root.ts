import { NO_ROOT, stateRootText } from '@augury/signing/state-root'
import { hexBytes } from '@augury/signing/state-tree'
import type { SignedRoot } from '@augury/wire/proof'
import { sha256, stringToBytes } from 'viem'

/** Why a root or the chain is invalid. */
export type RootFault =
  | 'hash' // the hash does not match
  | 'signature' // the key did not sign it
  | 'sums' // balances and backing do not add up to custody
  | 'missing' // a root is missing, or they are out of order
  | 'chain' // `previous` is not the previous root
  | 'backwards' // it is not later than the previous root
  | 'key' // the key changed without an endorsement by the previous one

/** A fault, with the root where it was found. */
export interface RootFinding {
  n: number
  fault: RootFault
}

/** Adds as bigints: a sum of three safe integers may not be safe. */
const addsUp = ({ usdc, locked, converted, custody }: SignedRoot): boolean =>
  BigInt(usdc) + BigInt(locked) + BigInt(converted) === BigInt(custody)

/** Checks one root by itself. Throws NotSupportedError if the platform has no Ed25519. */
export async function checkRoot(root: SignedRoot): Promise<RootFault[]> {
  const faults: RootFault[] = []
  const text = stateRootText(root)
  if (sha256(stringToBytes(text)).slice(2) !== root.hash) faults.push('hash')
  if (!(await isSigned(text, root.key, root.signature))) faults.push('signature')
  if (!addsUp(root)) faults.push('sums')
  return faults
}

/**
 * Checks consecutive roots, oldest first. If they start with number 1, its `previous` must be `NO_ROOT`. If `trusted`, a key known to be the
 * exchange's, is given, the first root must be signed by it.
 */
export async function checkRoots(roots: readonly SignedRoot[], trusted?: string): Promise<RootFinding[]> {
  const findings: RootFinding[] = []
  let before: SignedRoot | null = null
  for (const root of roots) {
    const faults = await checkRoot(root)
    faults.push(...(before ? await checkLink(before, root) : checkFirst(root, trusted)))
    findings.push(...faults.map((fault) => ({ n: root.n, fault })))
    before = root
  }
  return findings
}

function checkFirst(root: SignedRoot, trusted: string | undefined): RootFault[] {
  const faults: RootFault[] = []
  if (root.n === 1 && root.previous !== NO_ROOT) faults.push('chain')
  if (trusted !== undefined && root.key !== trusted) faults.push('key')
  return faults
}

async function checkLink(before: SignedRoot, root: SignedRoot): Promise<RootFault[]> {
  const faults: RootFault[] = []
  if (root.n !== before.n + 1) faults.push('missing')
  else if (root.previous !== before.hash) faults.push('chain')
  if (root.seq <= before.seq || root.at < before.at || root.closes < before.closes) faults.push('backwards')
  if (root.key !== before.key && !(await isVouchedFor(root, before.key))) faults.push('key')
  return faults
}

const isVouchedFor = async (root: SignedRoot, former: string): Promise<boolean> =>
  root.endorsement !== null && (await isSigned(stateRootText(root), former, root.endorsement))

async function isSigned(text: string, key: string, signature: string): Promise<boolean> {
  const publicKey = await crypto.subtle.importKey('raw', bytesOf(key), 'Ed25519', false, ['verify'])
  return crypto.subtle.verify('Ed25519', publicKey, bytesOf(signature), new TextEncoder().encode(text))
}

const bytesOf = (hex: string) => hexBytes(`0x${hex}`)
