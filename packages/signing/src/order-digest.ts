import { concatBytes, type Hex, hexToBytes, keccak256, stringToBytes } from 'viem'
import type { OrderDomain } from './order-domains.ts'
import { fieldValue, isV2, type OrderFields, type OrderFieldsV1, type OrderFieldsV2, orderTypes } from './order-fields.ts'

/**
 * EIP-712 digests of orders, laid out by hand: a general encoder spends most of its time finding out what is known here.
 * A test ties every byte to the general one.
 */

const WORD = 32
const hash = (bytes: Uint8Array): Uint8Array => keccak256(bytes, 'bytes')
const hashText = (text: string): Uint8Array => hash(stringToBytes(text))

const typeText = (sample: OrderFields): string =>
  `Order(${orderTypes(sample)
    .map(({ name, type }) => `${type} ${name}`)
    .join(',')})`

/** Type string of version 2 orders, which a contract wallet's signature repeats. */
export const ORDER_TYPE_V2 = typeText({ timestamp: '' } as OrderFieldsV2)
const typeHashV1 = hashText(typeText({} as OrderFieldsV1))
const typeHashV2 = hashText(ORDER_TYPE_V2)

const domainType = hashText('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)')

/** Writes an unsigned integer into the 32 bytes at `offset`. */
function putUint(view: DataView, offset: number, value: bigint): void {
  view.setBigUint64(offset, value >> 192n)
  view.setBigUint64(offset + 8, value >> 128n)
  view.setBigUint64(offset + 16, value >> 64n)
  view.setBigUint64(offset + 24, value)
}

const TWO_32 = 0x1_0000_0000
/** Decimal digits that are a safe integer whatever they are. */
const SAFE_DIGITS = 15

/** Writes what a field says, a text of an integer or an integer, into the 32 zeros at `offset`: the small ones without a bigint. */
function putField(view: DataView, offset: number, value: string | number): void {
  if (typeof value === 'string' && (value.length > SAFE_DIGITS || value.startsWith('0x'))) {
    // Addresses and hashes are integers too: 0x-text parses as one, and both are right-aligned words.
    putUint(view, offset, BigInt(value))
    return
  }
  const small = Number(value)
  view.setUint32(offset + 24, Math.floor(small / TWO_32))
  view.setUint32(offset + 28, small % TWO_32)
}

/** One 32-byte word of an unsigned integer. */
export function uintWord(value: bigint): Uint8Array {
  const bytes = new Uint8Array(WORD)
  putUint(new DataView(bytes.buffer), 0, value)
  return bytes
}

/** Separator of a domain: 32 bytes. Made once per domain. */
export const domainSeparator = (domain: OrderDomain): Uint8Array =>
  hash(
    concatBytes([
      domainType,
      hashText(domain.name),
      hashText(domain.version),
      uintWord(BigInt(domain.chainId)),
      uintWord(BigInt(domain.verifyingContract)),
    ]),
  )

/** The words that an order's struct hash is of: the hash of its type, then each signed field. */
export function encodeOrder(order: OrderFields): Uint8Array {
  const types = orderTypes(order)
  const bytes = new Uint8Array((types.length + 1) * WORD)
  const view = new DataView(bytes.buffer)
  bytes.set(isV2(order) ? typeHashV2 : typeHashV1)
  types.forEach(({ name }, index) => {
    putField(view, (index + 1) * WORD, fieldValue(order, name))
  })
  return bytes
}

/** Struct hash of an order's signed fields. */
export const orderHash = (order: OrderFields): Uint8Array => hash(encodeOrder(order))

const PREFIX = hexToBytes('0x1901')

/** What is signed is the hash of this: the domain's separator and a struct's hash. */
export const typedData = (separator: Uint8Array, structHash: Uint8Array): Uint8Array => concatBytes([PREFIX, separator, structHash])

/** The order's id: its digest in a domain, as hex. */
export const orderDigest = (order: OrderFields, domain: OrderDomain): Hex =>
  `0x${Array.from(hash(typedData(domainSeparator(domain), orderHash(order))), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
