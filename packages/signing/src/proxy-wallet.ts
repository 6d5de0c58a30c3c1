import { getCreate2Address, type Hex, keccak256, padHex, stringToHex, zeroAddress } from 'viem'

/**
 * A member's proxy wallet: a contract wallet whose address follows from its owner alone (CREATE2, as the Safe's proxy factory does it), so
 * that it is known before it is deployed. Our factory is no contract, but a name that nobody can hold a key of; a chain brings its own.
 */
export const proxyFactory: Hex = `0x${keccak256(stringToHex('augury proxy factory')).slice(-40)}`
const INIT_CODE_HASH = keccak256(stringToHex('augury proxy wallet'))

/** How orders made by a proxy wallet are signed: as those of a Safe. */
export const PROXY_SIGNATURE_TYPE = 2

/** Address of an owner's proxy wallet, with its checksum. */
export const proxyWalletOf = (owner: Hex): Hex =>
  getCreate2Address({
    from: proxyFactory,
    salt: keccak256(padHex(owner.toLowerCase() as Hex, { size: 32 })),
    bytecodeHash: INIT_CODE_HASH,
  })

/** What the owner signs to have it made. It pays nothing to nobody. */
export const createProxyTypedData = (chainId: number) =>
  ({
    domain: { name: 'Augury Proxy Factory', version: '1', chainId, verifyingContract: proxyFactory },
    types: {
      CreateProxy: [
        { name: 'paymentToken', type: 'address' },
        { name: 'payment', type: 'uint256' },
        { name: 'paymentReceiver', type: 'address' },
      ],
    },
    primaryType: 'CreateProxy',
    message: { paymentToken: zeroAddress, payment: 0n, paymentReceiver: zeroAddress },
  }) as const
