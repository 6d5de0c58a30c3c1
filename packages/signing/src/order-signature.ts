import { concatBytes, type Hex, hexToBytes, stringToBytes } from 'viem'
import { keccak } from './keccak.ts'
import { domainSeparator, encodeOrder, ORDER_TYPE_V2, typedData, uintWord } from './order-digest.ts'
import { auguryOrderDomain, ESTABLISHED_CHAINS, establishedOrderDomain, type OrderDomain } from './order-domains.ts'
import type { OrderFields } from './order-fields.ts'
import { recoverSigner } from './recover.ts'

/** Which signed orders an exchange accepts. */
export interface OrderPolicy {
  chainId: number
  /** Whether the established domains are accepted beside our own. */
  established: boolean
  /** Whether the established domains of all chains of those clients are accepted, beside those of `chainId`. */
  anyChain?: boolean
}

/** A verified order: its id and its signer. */
export interface VerifiedOrder {
  orderId: Hex
  /** Lower case. For a contract wallet (type 3), its owner, who must be registered for the order's maker. */
  signedBy: Hex
}

/** Why a signed order is not accepted. */
export type SignatureRefusal = 'bad_order_signature' | 'wrong_exchange_domain' | 'order_version_mismatch'

const separators = new Map<string, Uint8Array>()

/** The separator of a domain, cached: there are only a handful. */
function separatorOf(domain: OrderDomain): Uint8Array {
  const key = `${domain.chainId} ${domain.version} ${domain.verifyingContract}`
  const cached = separators.get(key)
  if (cached) return cached
  const made = domainSeparator(domain)
  separators.set(key, made)
  return made
}

const made = new Map<string, OrderDomain[]>()

/** Domains in which an order of this version may be signed for this kind of market, cached by combination. */
function domainsFor(isV2: boolean, { chainId, established, anyChain = false }: OrderPolicy, negRisk: boolean): OrderDomain[] {
  const key = `${isV2} ${chainId} ${established} ${anyChain} ${negRisk}`
  const cached = made.get(key)
  if (cached) return cached
  const versions = isV2 ? ([2, 3] as const) : ([1] as const)
  const chains = anyChain ? [...new Set([chainId, ...ESTABLISHED_CHAINS])] : [chainId]
  const compat = established ? chains.flatMap((chain) => versions.map((version) => establishedOrderDomain(chain, version, negRisk))) : []
  const domains = [...(isV2 ? [auguryOrderDomain(chainId)] : []), ...compat.filter((domain) => domain !== null)]
  made.set(key, domains)
  return domains
}

const WORD = 32

/** An encoded order (see `encodeOrder`), with the fields that decide how it is verified. */
interface Encoded {
  isV2: boolean
  signatureType: number
  /** 20 bytes. */
  signer: Uint8Array
  structHash: Uint8Array
}

/** Reads an encoded order. Version 1 has one word more than version 2, and its signature type is last. */
function readEncoded(words: Uint8Array): Encoded {
  const isV2 = words.length === 12 * WORD
  const signatureType = words[(isV2 ? 8 : 12) * WORD + 31]!
  return { isV2, signatureType, signer: words.subarray(3 * WORD + 12, 4 * WORD), structHash: keccak(words) }
}

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`

/** Verifies an order in one domain; for types 0 to 2 the recovered address must be the order's `signer`. */
async function signerIn(domain: OrderDomain, order: Encoded, signature: Uint8Array): Promise<VerifiedOrder | null> {
  const separator = separatorOf(domain)
  const digest = keccak(typedData(separator, order.structHash))
  const found =
    order.signatureType === 3 ? await walletOwner(order, signature, domain.chainId, separator) : await recoverSigner(digest, signature)
  const isRight = order.signatureType === 3 || found === hexOf(order.signer)
  return found !== null && isRight ? { orderId: hexOf(digest), signedBy: found } : null
}

/**
 * Verifies an order's signature in every accepted domain. For types 1 to 3 the caller must still check that the signer owns the maker.
 * A valid signature for the other kind of market, or for a domain that is not accepted here, is refused as `wrong_exchange_domain`.
 */
export const verifyOrder = (
  order: OrderFields,
  signature: Hex,
  negRisk: boolean,
  policy: OrderPolicy,
): Promise<VerifiedOrder | SignatureRefusal> => verifyEncodedOrder(encodeOrder(order), hexToBytes(signature), negRisk, policy)

/** As `verifyOrder`, for an encoded order (see `encodeOrder`). */
export async function verifyEncodedOrder(
  words: Uint8Array,
  signature: Uint8Array,
  negRisk: boolean,
  policy: OrderPolicy,
): Promise<VerifiedOrder | SignatureRefusal> {
  const order = readEncoded(words)
  if (!order.isV2 && !policy.established) return 'order_version_mismatch' // our own domain has only version 2
  if (order.signatureType === 3 && !order.isV2) return 'bad_order_signature'
  const accepted = domainsFor(order.isV2, policy, negRisk)
  for (const domain of accepted) {
    const verified = await signerIn(domain, order, signature)
    if (verified) return verified
  }
  const tried = new Set(accepted.map(separatorOf))
  for (const kind of [!negRisk, negRisk]) {
    for (const domain of domainsFor(order.isV2, { ...policy, established: true }, kind)) {
      if (tried.has(separatorOf(domain))) continue // the same domain again, from another list
      tried.add(separatorOf(domain))
      if (await signerIn(domain, order, signature)) return 'wrong_exchange_domain'
    }
  }
  return 'bad_order_signature'
}

const hashText = (text: string): Uint8Array => keccak(stringToBytes(text))
const WALLET_TYPE = hashText(
  `TypedDataSign(Order contents,string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)${ORDER_TYPE_V2}`,
)
const WALLET_NAME = hashText('DepositWallet')
const WALLET_VERSION = hashText('1')
const ORDER_TYPE_BYTES = stringToBytes(ORDER_TYPE_V2)

/**
 * Owner of the contract wallet that signed (ERC-7739). The first 65 bytes sign the order nested in the wallet's own domain; they are followed
 * by the exchange's separator, the order's hash, and the order's type with its length.
 */
async function walletOwner(
  { signer, structHash }: Encoded,
  signature: Uint8Array,
  chainId: number,
  separator: Uint8Array,
): Promise<Hex | null> {
  const length = ORDER_TYPE_BYTES.length
  const suffix = concatBytes([separator, structHash, ORDER_TYPE_BYTES, Uint8Array.of(length >> 8, length & 0xff)])
  if (signature.length !== 65 + suffix.length || !Buffer.from(signature.subarray(65)).equals(suffix)) return null
  const wallet = [WALLET_NAME, WALLET_VERSION, uintWord(BigInt(chainId)), new Uint8Array(12), signer, new Uint8Array(WORD)]
  const nested = keccak(concatBytes([WALLET_TYPE, structHash, ...wallet]))
  return recoverSigner(keccak(typedData(separator, nested)), signature.subarray(0, 65))
}
