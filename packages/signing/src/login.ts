import type { Hex } from 'viem'

/** EIP-712 typed data that a wallet signs to create or derive an API key. */

/** Our own login. It names host and route, so that a signature for one exchange is invalid at another. */
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

/** Typed data of the established login. It names no host, and is accepted only where the deployment allows it. */
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
