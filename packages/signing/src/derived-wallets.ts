import { concatHex, encodeAbiParameters, getCreate2Address, type Hex, keccak256, numberToHex, pad } from 'viem'

/** A contract wallet whose address established clients derive from the key of its owner. */
export interface DerivedWallet {
  /** Lower case. */
  address: Hex
  /** How its orders are signed: 1 proxy, 2 Safe, 3 deposit wallet. */
  signatureType: 1 | 2 | 3
}

/** Factories that those clients have built in, and the hashes of what they deploy. */
const PROXY = {
  factory: '0xaB45c5A4B0c941a2F231C04C3f49182e1A254052',
  codeHash: '0xd21df8dc65880a8606f09fe0ce3df9b8869287ab0b058be05aa9e8af6330a00b',
} as const
const SAFE = {
  factory: '0xaacFeEa03eb1561C4e67d661e40682Bd20E3541b',
  codeHash: '0x2bce2127ff07fb632d16c8347c4ebf501f4841168bed00d9e6ef715ddb6fcecf',
} as const
const DEPOSIT = {
  factory: '0x00000000000Fb5C9ADea0298D729A0CB3823Cc07',
  beacon: '0x7A18EDfe055488A3128f01F563e5B479D92ffc3a',
  implementation: '0x58CA52ebe0DadfdF531Cde7062e76746de4Db1eB',
} as const

// Creation code of ERC-1967 proxies with immutable arguments: a head with the length of what is deployed, the address of the code, the rest.
const TO_CODE = { length: 0x3d, tail: '0x60095155f3363d3d373d3d363d7f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc545af43d6000803e6038573d6000fd5b3d6000f3' } as const // biome-ignore format: one number
const TO_BEACON = { length: 0x52, tail: '0x60195155f3363d3d373d3d363d602036600436635c60da1b60e01b36527fa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50545afa5036515af43d6000803e604d573d6000fd5b3d6000f3' } as const // biome-ignore format: one number
const ARGUMENTS = 64

const lower = (address: Hex): Hex => address.toLowerCase() as Hex
const create2 = (from: Hex, salt: Hex, bytecodeHash: Hex): Hex => lower(getCreate2Address({ from, salt, bytecodeHash }))

/** The hash of the creation code of a deposit wallet that runs the code at, or named by, an address. */
function depositCodeHash({ length, tail }: { length: number; tail: Hex }, code: Hex, args: Hex): Hex {
  const head = concatHex(['0x61', numberToHex(length + ARGUMENTS, { size: 2 }), '0x3d8160233d3973'])
  return keccak256(concatHex([head, code, tail, args]))
}

/** Returns the wallets that established clients derive for an owner: proxy, Safe, and both forms of the deposit wallet. */
export function derivedWallets(owner: Hex): DerivedWallet[] {
  const word = pad(lower(owner), { size: 32 })
  const args = encodeAbiParameters([{ type: 'address' }, { type: 'bytes32' }], [DEPOSIT.factory, word])
  const deposit = (hash: Hex): DerivedWallet => ({ address: create2(DEPOSIT.factory, keccak256(args), hash), signatureType: 3 })
  return [
    { address: create2(PROXY.factory, keccak256(lower(owner)), PROXY.codeHash), signatureType: 1 },
    { address: create2(SAFE.factory, keccak256(word), SAFE.codeHash), signatureType: 2 },
    deposit(depositCodeHash(TO_BEACON, DEPOSIT.beacon, args)),
    deposit(depositCodeHash(TO_CODE, DEPOSIT.implementation, args)),
  ]
}
