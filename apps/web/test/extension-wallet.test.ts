import { expect, test } from 'vitest'
import { extensionWallet } from '../src/lib/wallet/extension-wallet.ts'

const ADDRESS = '0x00000000000000000000000000000000000000aa'
const CHAIN = 31_337
const typedData = {
  domain: { name: 'Test' },
  types: { Word: [{ name: 'text', type: 'string' }] },
  primaryType: 'Word',
  message: { text: 'x' },
}

/** What is said when a wallet on another chain refuses to switch with `error`. */
async function refusal(error: object): Promise<string> {
  const provider = {
    request: async ({ method }: { method: string }) => {
      if (method === 'wallet_switchEthereumChain') throw error
      return method === 'eth_chainId' ? '0x1' : [ADDRESS]
    },
  }
  const wallet = await extensionWallet(provider as Parameters<typeof extensionWallet>[0], CHAIN)
  return wallet.signTypedData(typedData as Parameters<typeof wallet.signTypedData>[0]).then(String, ({ message }) => message)
}

test.each([
  ['by the code', { code: 4902, message: 'Unrecognized chain ID "0x7a69". Try adding the chain using wallet_addEthereumChain first.' }],
  ['by the code within another', { code: -32603, message: 'Internal JSON-RPC error.', data: { originalError: { code: 4902 } } }],
])('a wallet that lacks the chain, %s, is told of in our words', async (_, error) => {
  expect(await refusal(error)).toBe('The wallet does not know chain 31337. Add it in the wallet, and try again.')
})

test('a wallet that said no, or anything else, is quoted', async () => {
  expect(await refusal({ code: 4001, message: 'User rejected the request.' })).toBe('The wallet was asked, and said no.')
  expect(await refusal({ code: -32002, message: 'Already pending.' })).toBe('The wallet refused: Already pending.')
})
