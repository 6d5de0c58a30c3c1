import type { Page } from '@playwright/test'
import { type Hex, numberToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** A wallet extension with a key of its own, as a page finds it. */
export interface OwnWallet {
  address: string
  /** The primary types of the typed data that it was asked to sign, and `message` for texts. */
  asked: string[]
  /** The next request to sign this is declined, as by a person who says no. */
  declineNext(type: string): void
}

interface Call {
  method: string
  params?: unknown[]
}

/** Calls a node of the chain. */
export async function askNode(url: string, method: string, ...params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return (await answer.json()).result
}

/**
 * Gives a page a wallet that announces itself under the name `Journey wallet` and signs what it is asked. With the address of a node it also reads
 * the chain and sends transactions.
 */
export async function giveWallet(page: Page, chainId: number, node?: string): Promise<OwnWallet> {
  const account = privateKeyToAccount(generatePrivateKey())
  const asked: string[] = []
  let declined: string | null = null
  const permit = (type: string) => {
    asked.push(type)
    if (declined !== type) return true
    declined = null
    return false
  }
  const send = async (url: string, call: { to: Hex; data: Hex }) => {
    const nonce = Number(await askNode(url, 'eth_getTransactionCount', account.address, 'latest'))
    const gas = { gas: 1_000_000n, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n }
    return askNode(url, 'eth_sendRawTransaction', await account.signTransaction({ chainId, type: 'eip1559', nonce, ...call, ...gas }))
  }
  const answer = async ({ method, params = [] }: Call): Promise<unknown> => {
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [account.address]
    if (method === 'eth_chainId') return numberToHex(chainId)
    if (method === 'personal_sign') return permit('message') && account.signMessage({ message: { raw: params[0] as `0x${string}` } })
    if (method === 'eth_sendTransaction' && node) return permit('transaction') && send(node, params[0] as { to: Hex; data: Hex })
    if (method !== 'eth_signTypedData_v4') return node ? askNode(node, method, ...params) : null
    const data = JSON.parse(String(params[1]))
    return permit(data.primaryType) && account.signTypedData(data)
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
