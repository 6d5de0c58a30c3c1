import { getAddress, numberToHex } from 'viem'
import type { Provider } from './announced-wallets.ts'

/** A session with a wallet on a phone. Accounts are CAIP-10: `eip155:`, a chain id and an address. */
export interface PhoneSession {
  topic: string
  namespaces: Record<string, { accounts: string[]; methods: string[] }>
}

/** What of a WalletConnect client is used; `@walletconnect/sign-client` has it. */
export interface PhoneClient {
  connect(wanted: { optionalNamespaces: Record<string, { chains: string[]; methods: string[]; events: string[] }> }): Promise<{
    uri?: string | undefined
    approval(): Promise<PhoneSession>
  }>
  request(call: { topic: string; chainId: string; request: { method: string; params: unknown } }): Promise<unknown>
  disconnect(which: { topic: string; reason: { code: number; message: string } }): Promise<void>
  session: { get(topic: string): PhoneSession }
  events: {
    on(event: ChangeEvent, listener: (change: Change) => void): unknown
    off(event: ChangeEvent, listener: (change: Change) => void): unknown
  }
}

const CHANGES = ['session_update', 'session_event', 'session_delete', 'session_expire'] as const
type ChangeEvent = (typeof CHANGES)[number]
interface Change {
  topic: string
  params?: unknown
}

/** Asked of a wallet. All is optional: one that lacks the exchange's chain or a method connects all the same, and is offered the chain. */
const METHODS = ['personal_sign', 'eth_signTypedData_v4', 'wallet_switchEthereumChain', 'wallet_addEthereumChain']
const EVENTS = ['accountsChanged', 'chainChanged']
/** Ethereum's main chain, which every wallet has. */
const MAIN = 1
/** Milliseconds for a wallet to report a chain that it has switched to. */
const REPORT_MS = 3000
const LEFT = { code: 6000, message: 'User disconnected.' }

/** How a wallet on a phone is reached. */
export interface Pairing {
  /** The exchange's chain. */
  chainId: number
  /** Gets the text of the QR code, which is also a link for wallets on the same device. */
  onuri: (uri: string) => void
  /** Aborts the wait for the wallet. */
  signal: AbortSignal
}

/**
 * Pairs with a wallet on a phone and returns its provider once its user approved. Throws what the client throws, such as a refusal by the
 * user, and the reason of the signal.
 */
export async function pairPhone(client: PhoneClient, { chainId, onuri, signal }: Pairing): Promise<PhoneProvider> {
  signal.throwIfAborted()
  const chains = [...new Set([chainId, MAIN])].map((id) => `eip155:${id}`)
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  const connecting = client.connect({ optionalNamespaces: { eip155: { chains, methods: METHODS, events: EVENTS } } })
  const { uri, approval } = await Promise.race([connecting, aborted])
  if (uri !== undefined) onuri(uri)
  const approving = approval()
  try {
    const { topic } = await Promise.race([approving, aborted])
    return new PhoneProvider(client, topic, chainId)
  } catch (error) {
    // An approval that comes after the abort is not left open on the phone.
    void approving.then(
      ({ topic }) => client.disconnect({ topic, reason: LEFT }),
      () => {},
    )
    throw error
  }
}

/** The provider (EIP-1193) of a wallet on a phone. Signing requests go to the phone; the rest is known from the session. */
export class PhoneProvider implements Provider {
  readonly #client: PhoneClient
  readonly #topic: string
  readonly #wanted: number
  readonly #listeners = new Set<(accounts: string[]) => void>()

  constructor(client: PhoneClient, topic: string, wanted: number) {
    this.#client = client
    this.#topic = topic
    this.#wanted = wanted
  }

  async request({ method, params = [] }: { method: string; params?: unknown[] }): Promise<unknown> {
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return this.#accounts()
    if (method === 'eth_chainId') return numberToHex(this.#chain())
    if (method === 'wallet_switchEthereumChain') return this.#switch(params)
    if (!METHODS.includes(method)) throw { code: 4200, message: `A wallet on a phone has no ${method}.` }
    return this.#send(method, params)
  }

  on(_: 'accountsChanged', listener: (accounts: string[]) => void): void {
    if (this.#listeners.size === 0) for (const event of CHANGES) this.#client.events.on(event, this.#onChange)
    this.#listeners.add(listener)
  }

  removeListener(_: 'accountsChanged', listener: (accounts: string[]) => void): void {
    this.#listeners.delete(listener)
    if (this.#listeners.size === 0) for (const event of CHANGES) this.#client.events.off(event, this.#onChange)
  }

  /** Ends the session. */
  leave(): Promise<void> {
    return this.#client.disconnect({ topic: this.#topic, reason: LEFT })
  }

  readonly #onChange = ({ topic, params }: Change) => {
    if (topic !== this.#topic) return
    const { name, data } = (params as { event?: { name?: unknown; data?: unknown } } | undefined)?.event ?? {}
    if (name !== undefined && name !== 'accountsChanged') return
    const accounts = name !== undefined && Array.isArray(data) ? data.map(addressOf) : this.#accounts()
    for (const listener of this.#listeners) listener(accounts)
  }

  /** The part of the session about chains of Ethereum's kind; null once the wallet has left. */
  #session(): { accounts: string[]; methods: string[] } | null {
    try {
      return this.#client.session.get(this.#topic).namespaces.eip155 ?? null
    } catch {
      return null
    }
  }

  #accounts(): string[] {
    return [...new Set((this.#session()?.accounts ?? []).map(addressOf))]
  }

  #chains(): number[] {
    return (this.#session()?.accounts ?? []).map((account) => Number(account.split(':')[1]))
  }

  /** The exchange's chain where the session has it: every request names its chain. */
  #chain(): number {
    const chains = this.#chains()
    return chains.includes(this.#wanted) ? this.#wanted : (chains[0] ?? MAIN)
  }

  async #switch(params: unknown[]): Promise<null> {
    const id = Number((params[0] as { chainId?: unknown } | undefined)?.chainId)
    if (this.#chains().includes(id)) return null
    if (!this.#session()?.methods.includes('wallet_switchEthereumChain')) throw { code: 4902, message: 'The session has no such chain.' }
    await this.#send('wallet_switchEthereumChain', params)
    await this.#reported(id)
    return null
  }

  /** Waits until the session has a chain, but not for long: some wallets never report it. */
  async #reported(id: number): Promise<void> {
    const until = Date.now() + REPORT_MS
    while (!this.#chains().includes(id) && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 100))
  }

  async #send(method: string, params: unknown[]): Promise<unknown> {
    const session = this.#session()
    if (session === null) throw { code: 4100, message: 'The wallet has left.' }
    if (!session.methods.includes(method)) throw { code: 4200, message: `The wallet has no ${method}.` }
    const chainId = `eip155:${this.#chain()}`
    const answer = await this.#client.request({ topic: this.#topic, chainId, request: { method, params } })
    if (method === 'wallet_addEthereumChain') await this.#reported(this.#wanted)
    return answer
  }
}

/** The address of an account, which some wallets name without its chain. */
const addressOf = (account: unknown): string => {
  const address = String(account).split(':').at(-1)!
  return /^0x[0-9a-f]{40}$/i.test(address) ? getAddress(address) : address
}
