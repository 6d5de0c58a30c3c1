import { concatBytes, type Hex, hexToBytes, keccak256, stringToBytes } from 'viem'
import type { OrderDomain } from './order-domains.ts'
import { fieldValue, isV2, type OrderFields, type OrderFieldsV1, type OrderFieldsV2, orderTypes } from './order-fields.ts'

/**
 * EIP-712 digests of orders, encoded by hand: a general encoder spends most of its time on what is fixed here.
 * A test compares every byte with the general one.
 */

const WORD = 32
const hash = (bytes: Uint8Array): Uint8Array => keccak256(bytes, 'bytes')
const hashText = (text: string): Uint8Array => hash(stringToBytes(text))

const typeText = (sample: OrderFields): string =>
  `Order(${orderTypes(sample)
    .map(({ name, type }) => `${type} ${name}`)
    .join(',')})`

/** Type string of version 2 orders, which is part of a contract wallet's signature. */
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
/** The number of decimal digits up to which every integer is safe. */
const SAFE_DIGITS = 15

/** Writes an integer, or its text, into the 32 zero bytes at `offset`; small ones without a bigint. */
function putField(view: DataView, offset: number, value: string | number): void {
  if (typeof value === 'string' && (value.length > SAFE_DIGITS || value.startsWith('0x'))) {
    // Addresses and hashes too: their 0x text parses as an integer, and all are right-aligned words.
    putUint(view, offset, BigInt(value))
    return
  }
  const small = Number(value)
  view.setUint32(offset + 24, Math.floor(small / TWO_32))
  view.setUint32(offset + 28, small % TWO_32)
}

/** An unsigned integer as a 32-byte word. */
export function uintWord(value: bigint): Uint8Array {
  const bytes = new Uint8Array(WORD)
  putUint(new DataView(bytes.buffer), 0, value)
  return bytes
}

/** Separator of a domain: 32 bytes. */
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

/** The encoded struct of an order: the hash of its type, then each signed field, in words of 32 bytes. */
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

/** Struct hash of an order. */
export const orderHash = (order: OrderFields): Uint8Array => hash(encodeOrder(order))

const PREFIX = hexToBytes('0x1901')

/** The bytes whose hash is signed: prefix, domain separator and struct hash. */
export const typedData = (separator: Uint8Array, structHash: Uint8Array): Uint8Array => concatBytes([PREFIX, separator, structHash])

/** The order's id: its digest in a domain, as hex. */
export const orderDigest = (order: OrderFields, domain: OrderDomain): Hex => keccak256(typedData(domainSeparator(domain), orderHash(order)))
