import type { Hex } from 'viem'
import type { OrderDomain } from './order-domains.ts'

/** Fields signed in every version. Integers as decimal text, addresses and hashes as hex. */
interface CommonFields {
  salt: string
  maker: Hex
  signer: Hex
  tokenId: string
  /** Millionths given: USDC for a BUY, shares for a SELL. */
  makerAmount: string
  /** Millionths received. */
  takerAmount: string
  side: 'BUY' | 'SELL'
  /** 0: a plain wallet; 1, 2, 3: a contract wallet of the signer. */
  signatureType: 0 | 1 | 2 | 3
}

/** A version 1 order. */
export interface OrderFieldsV1 extends CommonFields {
  taker: Hex
  expiration: string
  nonce: string
  feeRateBps: string
}

/** A version 2 or 3 order; our own domain uses these fields too. */
export interface OrderFieldsV2 extends CommonFields {
  /** Unix milliseconds. */
  timestamp: string
  metadata: Hex
  builder: Hex
}

/** The signed fields of an order of any version. */
export type OrderFields = OrderFieldsV1 | OrderFieldsV2

/** Whether an order has the fields of version 2. */
export const isV2 = (order: OrderFields): order is OrderFieldsV2 => 'timestamp' in order

const typesV1 = [
  { name: 'salt', type: 'uint256' },
  { name: 'maker', type: 'address' },
  { name: 'signer', type: 'address' },
  { name: 'taker', type: 'address' },
  { name: 'tokenId', type: 'uint256' },
  { name: 'makerAmount', type: 'uint256' },
  { name: 'takerAmount', type: 'uint256' },
  { name: 'expiration', type: 'uint256' },
  { name: 'nonce', type: 'uint256' },
  { name: 'feeRateBps', type: 'uint256' },
  { name: 'side', type: 'uint8' },
  { name: 'signatureType', type: 'uint8' },
] as const

const typesV2 = [
  { name: 'salt', type: 'uint256' },
  { name: 'maker', type: 'address' },
  { name: 'signer', type: 'address' },
  { name: 'tokenId', type: 'uint256' },
  { name: 'makerAmount', type: 'uint256' },
  { name: 'takerAmount', type: 'uint256' },
  { name: 'side', type: 'uint8' },
  { name: 'signatureType', type: 'uint8' },
  { name: 'timestamp', type: 'uint256' },
  { name: 'metadata', type: 'bytes32' },
  { name: 'builder', type: 'bytes32' },
] as const

/** Name and type of each signed field, in the order in which they are hashed. */
export const orderTypes = (order: OrderFields) => (isV2(order) ? typesV2 : typesV1)

/** The signed value of a field; as `side`, a BUY is 0 and a SELL 1. */
export const fieldValue = (order: OrderFields, name: string): string | number => {
  const value = order[name as keyof CommonFields]
  return name === 'side' ? (value === 'BUY' ? 0 : 1) : value
}

/** An order as typed data for any wallet's `signTypedData`. */
export function orderTypedData(order: OrderFields, domain: OrderDomain) {
  const types = orderTypes(order)
  const message = Object.fromEntries(
    types.map(({ name, type }) => {
      const value = fieldValue(order, name)
      return [name, type === 'uint256' ? BigInt(value) : value]
    }),
  )
  return { domain, types: { Order: types }, primaryType: 'Order', message } as const
}
