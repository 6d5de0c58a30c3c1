import { getCreate2Address, type Hex, keccak256, padHex, stringToHex, zeroAddress } from 'viem'

/**
 * Factory of members' proxy wallets. A proxy wallet is a contract wallet whose address follows from its owner alone (CREATE2, as in the Safe's
 * proxy factory), so that it is known before it is deployed. This factory is not deployed: its address is the hash of a name, for which there is
 * no key. A proxy wallet is therefore an identity for orders, and never a place to send money to.
 */
export const proxyFactory: Hex = `0x${keccak256(stringToHex('augury proxy factory')).slice(-40)}`
const INIT_CODE_HASH = keccak256(stringToHex('augury proxy wallet'))

/** Signature type of orders whose maker is a proxy wallet: that of a Safe. */
export const PROXY_SIGNATURE_TYPE = 2

/** Checksummed address of an owner's proxy wallet. */
export const proxyWalletOf = (owner: Hex): Hex =>
  getCreate2Address({
    from: proxyFactory,
    salt: keccak256(padHex(owner.toLowerCase() as Hex, { size: 32 })),
    bytecodeHash: INIT_CODE_HASH,
  })

/** Typed data that the owner signs to have the wallet deployed; it names no payment. */
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
