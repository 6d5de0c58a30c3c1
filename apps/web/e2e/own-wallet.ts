import type { Page } from '@playwright/test'
import { createWalletClient, defineChain, type Hex, http, numberToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** A wallet extension with a key of its own, as a page finds it. */
export interface OwnWallet {
  address: Hex
  /** The primary types of the typed data that it was asked to sign, and `message` for texts. */
  asked: string[]
  /** The next request to sign this is declined, as by a person who says no. */
  declineNext(type: string): void
}

interface Call {
  method: string
  params?: unknown[]
}

/** Answers what a wallet asks its node. Transactions are signed here: the node has no keys. */
function nodeOf(account: ReturnType<typeof privateKeyToAccount>, id: number, rpc: string) {
  const nativeCurrency = { name: 'Coin', symbol: 'COIN', decimals: 18 }
  const chain = defineChain({ id, name: 'journey', nativeCurrency, rpcUrls: { default: { http: [rpc] } } })
  const client = createWalletClient({ account, chain, transport: http() })
  return ({ method, params = [] }: Call): Promise<unknown> => {
    if (method !== 'eth_sendTransaction') return client.request({ method, params } as never)
    const { to, data } = params[0] as { to: Hex; data: Hex }
    return client.sendTransaction({ to, data })
  }
}

/** Gives a page a wallet that announces itself under the name `Journey wallet` and signs what it is asked. `rpc`: its node, if it has one. */
export async function giveWallet(page: Page, chainId: number, rpc: string | null = null): Promise<OwnWallet> {
  const account = privateKeyToAccount(generatePrivateKey())
  const node = rpc === null ? null : nodeOf(account, chainId, rpc)
  const asked: string[] = []
  let declined: string | null = null
  const permit = (type: string) => {
    asked.push(type)
    if (declined !== type) return true
    declined = null
    return false
  }
  const answer = async ({ method, params = [] }: Call): Promise<unknown> => {
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [account.address]
    if (method === 'eth_chainId') return numberToHex(chainId)
    if (method === 'personal_sign') return permit('message') && account.signMessage({ message: { raw: params[0] as `0x${string}` } })
    if (method === 'eth_signTypedData_v4') {
      const data = JSON.parse(String(params[1]))
      return permit(data.primaryType) && account.signTypedData(data)
    }
    return node === null ? null : node({ method, params })
  }
  await page.exposeFunction('askJourneyWallet', answer)
  await page.addInitScript(() => {
    const ask = (window as unknown as { askJourneyWallet: (call: unknown) => Promise<unknown> }).askJourneyWallet
    const request = async (call: unknown) => {
      const said = await ask(call)
      if (said === false) throw { code: 4001, message: 'declined' }
      return said
    }
    const info = { uuid: 'journey', name: 'Journey wallet', rdns: 'org.example', icon: 'data:,' }
    const detail = Object.freeze({ info, provider: { request, on() {}, removeListener() {} } })
    const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    addEventListener('eip6963:requestProvider', announce)
    announce()
  })
  return { address: account.address, asked, declineNext: (type) => (declined = type) }
}
