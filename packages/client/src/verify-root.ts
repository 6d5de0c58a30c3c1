import { NO_ROOT, stateRootText } from '@augury/signing/state-root'
import type { SignedRoot } from '@augury/wire/proof'
import { sha256, stringToBytes } from 'viem'

/** What is wrong with a root, or with what follows it. */
export type RootFault =
  | 'hash' // the hash is not of what is said
  | 'signature' // the key did not sign it
  | 'sums' // what accounts have and what is behind tokens is not what came in
  | 'missing' // a root between two is not there, or they come in another order
  | 'chain' // it does not name the root before it
  | 'backwards' // it is not later than the root before it
  | 'key' // another key signed, and the one before did not vouch for it

/** A fault and the root it was found at. */
export interface RootFinding {
  n: number
  fault: RootFault
}

/** Milliseconds, positions and amounts are safe integers, so a sum of three amounts may not be: it is made of big ones. */
const addsUp = ({ usdc, locked, converted, custody }: SignedRoot): boolean =>
  BigInt(usdc) + BigInt(locked) + BigInt(converted) === BigInt(custody)

/** Looks at one root by itself. Throws NotSupportedError where the platform knows no Ed25519. */
export async function checkRoot(root: SignedRoot): Promise<RootFault[]> {
  const faults: RootFault[] = []
  const text = stateRootText(root)
  if (sha256(stringToBytes(text)).slice(2) !== root.hash) faults.push('hash')
  if (!(await isSigned(text, root.key, root.signature))) faults.push('signature')
  if (!addsUp(root)) faults.push('sums')
  return faults
}

/**
 * Looks at roots that follow each other, oldest first. When they begin with the first there is, it must say so. `trusted` is a key that is
 * known to be the exchange's: the first root must be signed by it.
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
  if (root.seq <= before.seq || root.at < before.at || root.closes <= before.closes) faults.push('backwards')
  if (root.key !== before.key && !(await isVouchedFor(root, before.key))) faults.push('key')
  return faults
}

const isVouchedFor = async (root: SignedRoot, former: string): Promise<boolean> =>
  root.endorsement !== null && (await isSigned(stateRootText(root), former, root.endorsement))

async function isSigned(text: string, key: string, signature: string): Promise<boolean> {
  const known = await crypto.subtle.importKey('raw', bytesOf(key), 'Ed25519', false, ['verify'])
  return crypto.subtle.verify('Ed25519', known, bytesOf(signature), new TextEncoder().encode(text))
}

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16))
