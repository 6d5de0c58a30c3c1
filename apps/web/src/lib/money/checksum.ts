import { isAddress } from 'viem'

/** Whether the mixed case of an address is its checksum (EIP-55). Loaded on demand: alone it brings a hash function, by `import('viem')` all of viem. */
export const hasChecksum = (address: string): boolean => isAddress(address)
