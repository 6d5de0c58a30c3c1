import { concatBytes, type Hex, hexToBytes, keccak256, stringToBytes } from 'viem'
import { domainSeparator, ORDER_TYPE_V2, orderHash, typedDigest, uintWord } from './order-digest.ts'
import { auguryOrderDomain, establishedOrderDomain, type OrderDomain } from './order-domains.ts'
import { isV2, type OrderFields } from './order-fields.ts'
import { recoverSigner } from './recover.ts'

/** Where an exchange accepts signed orders from. */
export interface OrderPolicy {
  chainId: number
  /** Whether the established domains are accepted beside our own. */
  established: boolean
}

/** A verified order: its id, and the wallet whose key signed. */
export interface VerifiedOrder {
  orderId: Hex
  /** Lower case. Of a contract wallet (type 3) the owner, who must be registered for the order's maker. */
  signedBy: Hex
}

/** Why a signed order is not accepted. */
export type SignatureRefusal = 'bad_order_signature' | 'wrong_exchange_domain' | 'order_version_mismatch'

const separators = new Map<string, Uint8Array>()

/** The separator of a domain, made once. There are a handful of them. */
function separatorOf(domain: OrderDomain): Uint8Array {
  const key = `${domain.chainId} ${domain.version} ${domain.verifyingContract}`
  const known = separators.get(key)
  if (known) return known
  const made = domainSeparator(domain)
  separators.set(key, made)
  return made
}

/** Domains in which an order of this version may be signed for this kind of market. */
function domainsFor(order: OrderFields, { chainId, established }: OrderPolicy, negRisk: boolean): OrderDomain[] {
  const versions = isV2(order) ? ([2, 3] as const) : ([1] as const)
  const compat = established ? versions.map((version) => establishedOrderDomain(chainId, version, negRisk)) : []
  return [...(isV2(order) ? [auguryOrderDomain(chainId)] : []), ...compat.filter((domain) => domain !== null)]
}

/** Who signed the order in one domain: for types 0 to 2 only when it is the order's signer. */
async function signerIn(
  domain: OrderDomain,
  order: OrderFields,
  structHash: Uint8Array,
  signature: Uint8Array,
): Promise<VerifiedOrder | null> {
  const separator = separatorOf(domain)
  const digest = typedDigest(separator, structHash)
  const signedBy =
    order.signatureType === 3
      ? await walletOwner(order, signature, domain.chainId, separator, structHash)
      : await recoverSigner(digest, signature).then((found) => (found === order.signer.toLowerCase() ? found : null))
  return signedBy && { orderId: `0x${Buffer.from(digest).toString('hex')}`, signedBy }
}

/**
 * Finds the domain in which an order is signed. Types 1 to 3 still need the wallet registry: who signed must own the maker.
 * A signature that is right for the other kind of market, or for a domain that is off here, is named as such.
 */
export async function verifyOrder(
  order: OrderFields,
  signature: Hex,
  negRisk: boolean,
  policy: OrderPolicy,
): Promise<VerifiedOrder | SignatureRefusal> {
  const bytes = hexToBytes(signature)
  if (order.signatureType === 3 && !isV2(order)) return 'bad_order_signature'
  const structHash = orderHash(order)
  for (const domain of domainsFor(order, policy, negRisk)) {
    const verified = await signerIn(domain, order, structHash, bytes)
    if (verified) return verified
  }
  for (const domain of domainsFor(order, { ...policy, established: true }, !negRisk)) {
    if (await signerIn(domain, order, structHash, bytes)) return 'wrong_exchange_domain'
  }
  return isV2(order) || policy.established ? 'bad_order_signature' : 'order_version_mismatch'
}

const hashText = (text: string): Uint8Array => keccak256(stringToBytes(text), 'bytes')
const WALLET_TYPE = hashText(
  `TypedDataSign(Order contents,string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)${ORDER_TYPE_V2}`,
)
const WALLET_NAME = hashText('DepositWallet')
const WALLET_VERSION = hashText('1')
const ORDER_TYPE_BYTES = stringToBytes(ORDER_TYPE_V2)

/**
 * Owner of the contract wallet that signed (ERC-7739): the 65 bytes sign the order nested in the wallet's own domain; behind them
 * stand the exchange's separator, the order's hash, and the order's type with its length.
 */
async function walletOwner(
  order: OrderFields,
  signature: Uint8Array,
  chainId: number,
  separator: Uint8Array,
  structHash: Uint8Array,
): Promise<Hex | null> {
  const length = ORDER_TYPE_BYTES.length
  const suffix = concatBytes([separator, structHash, ORDER_TYPE_BYTES, Uint8Array.of(length >> 8, length & 0xff)])
  if (signature.length !== 65 + suffix.length || !Buffer.from(signature.subarray(65)).equals(suffix)) return null
  const wallet = [WALLET_NAME, WALLET_VERSION, uintWord(BigInt(chainId)), uintWord(BigInt(order.signer)), new Uint8Array(32)]
  const nested = keccak256(concatBytes([WALLET_TYPE, structHash, ...wallet]), 'bytes')
  return recoverSigner(typedDigest(separator, nested), signature.subarray(0, 65))
}
