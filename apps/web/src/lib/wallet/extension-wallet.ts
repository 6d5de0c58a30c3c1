import { getAddress, getTypesForEIP712Domain, type Hex, numberToHex, serializeTypedData, stringToHex } from 'viem'
import { m } from '#lib/paraglide/messages.js'
import type { Provider } from './announced-wallets.ts'
import type { SiteWallet } from './site-wallet.ts'

/** Thrown when the user declined in the wallet or closed it. */
export class WalletDeclined extends Error {
  override readonly name = 'WalletDeclined'
}

/** EIP-1193's code for a request declined by the user. */
const DECLINED = 4001
/** EIP-3326's code for a chain that the wallet does not have. */
const NO_CHAIN = 4902

/** What a wallet's provider throws. Some wallets of phones wrap the error that has the code. */
interface ProviderFailure {
  code?: number
  message?: string
  data?: { originalError?: { code?: number } }
}

/** Connects to a wallet extension. Before typed data it is switched to `chainId`, as wallets only sign for their current chain. */
export async function extensionWallet(provider: Provider, chainId: number): Promise<SiteWallet> {
  const request = async <Answer>(method: string, params: unknown[] = []): Promise<Answer> => {
    try {
      return (await provider.request({ method, params })) as Answer
    } catch (error) {
      const { code, message, data } = error as ProviderFailure
      if (code === DECLINED) throw new WalletDeclined(m.wallet_declined())
      const lacksChain = code === NO_CHAIN || data?.originalError?.code === NO_CHAIN
      throw new WalletDeclined(lacksChain ? m.wallet_no_chain({ chain: chainId }) : m.wallet_refused({ why: message ?? '–' }))
    }
  }
  const [first] = await request<string[]>('eth_requestAccounts')
  if (!first) throw new WalletDeclined(m.wallet_no_account())
  const address = getAddress(first)
  return {
    address,
    signMessage: ({ message }) => request<Hex>('personal_sign', [stringToHex(message), address]),
    async signTypedData(data) {
      const chain = numberToHex(chainId)
      if ((await request<string>('eth_chainId')).toLowerCase() !== chain) await request('wallet_switchEthereumChain', [{ chainId: chain }])
      const types = { EIP712Domain: getTypesForEIP712Domain(data), ...data.types }
      return request<Hex>('eth_signTypedData_v4', [address, serializeTypedData({ ...data, types })])
    },
  }
}
