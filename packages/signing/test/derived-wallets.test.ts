import { expect, test } from 'vitest'
import { derivedWallets } from '../src/derived-wallets.ts'

test('the wallets of an owner have the addresses that established clients compute', () => {
  expect(derivedWallets('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')).toEqual([
    { address: '0x365f0ca36ae1f641e02fe3b7743673da42a13a70', signatureType: 1 },
    { address: '0xd93b25cb943d14d0d34fbaf01fc93a0f8b5f6e47', signatureType: 2 },
    { address: '0xbc0ff067b7740eff76c1ca93c875ba6b890d6b50', signatureType: 3 },
    { address: '0xdf8b9e8f9ab23f261f6e1b171b7454ae6e46ba76', signatureType: 3 },
  ])
})
