import { concatHex, getCreate2Address, type Hex, keccak256, padHex, zeroAddress } from 'viem'

/**
 * Contracts of members' proxy wallets: Safe 1.4.1. Their addresses follow from their code alone, so they are the same on every chain and known
 * before anything is deployed; a test compares them with the deployment of packages/contracts.
 */
export const SAFE_CONTRACTS = {
  /** SafeL2, whose code every proxy wallet runs. */
  safe: '0xF4b270B0Fb99e44A1507bb25f6ecF8018f9292ed',
  safeProxyFactory: '0xcF934f5446F0FEa9d8753ede6EcDF7637B3948Dd',
  fallbackHandler: '0x875fd72439c29109511724A165C33d68C6Cb3373',
} as const
/** Hash of the creation code of a proxy in front of SafeL2. */
const PROXY_CODE_HASH = '0x24653a8fefded01e055868a06eae8f6b21a0948b66f09637f4e095c3ab10c9c6'

/** Signature type of orders whose maker is a proxy wallet: that of a Safe. */
export const PROXY_SIGNATURE_TYPE = 2

const word = (value: Hex | number): Hex => padHex(typeof value === 'number' ? `0x${value.toString(16)}` : value, { size: 32 })
/** `setup(address[],uint256,address,bytes,address,address,uint256,address)` */
const SETUP = '0xb63e800d'
/** Where the list of owners and the empty call begin, in bytes after the selector. */
const [OWNERS, CALL] = [0x100, 0x140]

/** The call that makes a new proxy the Safe of an owner: that owner alone, threshold 1, no modules, no payment. */
export function safeSetup(owner: Hex): Hex {
  const head = [OWNERS, 1, zeroAddress, CALL, SAFE_CONTRACTS.fallbackHandler, zeroAddress, 0, zeroAddress]
  return concatHex([SETUP, ...[...head, 1, owner, 0].map(word)])
}

/** Checksummed address of an owner's proxy wallet, before and after its deployment. Owner and threshold at deployment follow from it. */
export const proxyWalletOf = (owner: Hex): Hex =>
  getCreate2Address({
    from: SAFE_CONTRACTS.safeProxyFactory,
    salt: keccak256(concatHex([keccak256(safeSetup(owner)), word(0)])),
    bytecodeHash: PROXY_CODE_HASH,
  })

/** Typed data that the owner signs to have the wallet deployed; it names no payment. */
export const createProxyTypedData = (chainId: number) =>
  ({
    domain: { name: 'Augury Proxy Factory', version: '1', chainId, verifyingContract: SAFE_CONTRACTS.safeProxyFactory },
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
