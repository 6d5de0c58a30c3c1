import type { Hex } from 'viem'

/** What a wallet signs to create or derive an API key, as EIP-712 typed data for any wallet's `signTypedData`. */

/** Our own login names host and route: a signature for one exchange says nothing at another. */
export interface Login {
  chainId: number
  address: Hex
  /** Host of the order-book service with its port, as in its address. */
  host: string
  method: 'GET' | 'POST'
  path: string
  /** Unix seconds as text. */
  timestamp: string
  nonce: bigint
}

/** Typed data of our own login. */
export const loginTypedData = ({ chainId, ...message }: Login) =>
  ({
    domain: { name: 'Augury', version: '1', chainId },
    types: {
      ApiKeyRequest: [
        { name: 'address', type: 'address' },
        { name: 'host', type: 'string' },
        { name: 'method', type: 'string' },
        { name: 'path', type: 'string' },
        { name: 'timestamp', type: 'string' },
        { name: 'nonce', type: 'uint256' },
      ],
    },
    primaryType: 'ApiKeyRequest',
    message,
  }) as const

/** Typed data of the established login, accepted only where the deployment allows it: it names no host. */
export const clobAuthTypedData = ({ chainId, address, timestamp, nonce }: Pick<Login, 'chainId' | 'address' | 'timestamp' | 'nonce'>) =>
  ({
    domain: { name: 'ClobAuthDomain', version: '1', chainId },
    types: {
      ClobAuth: [
        { name: 'address', type: 'address' },
        { name: 'timestamp', type: 'string' },
        { name: 'nonce', type: 'uint256' },
        { name: 'message', type: 'string' },
      ],
    },
    primaryType: 'ClobAuth',
    message: { address, timestamp, nonce, message: 'This message attests that I control the given wallet' },
  }) as const
