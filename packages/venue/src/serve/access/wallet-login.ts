import type { Hex } from '@augury/engine/command'
import { readHeaders, readTimestamp, walletHeaders, withinWindow } from '@augury/signing/headers'
import { clobAuthTypedData, loginTypedData } from '@augury/signing/login'
import { createProxyTypedData } from '@augury/signing/proxy-wallet'
import { CLOCK_WINDOW_SECONDS } from '@augury/wire/limits'
import { ServiceError } from '@augury/wire/service-error'
import { hashTypedData } from 'viem'
import type { Call } from './gateway.ts'
import { prove, type WalletOwner } from './identity.ts'

/** Recovers the address that signed a hash, in lower case; null when the signature is invalid. */
export type Recover = (hash: Hex, signature: Hex) => Promise<Hex | null>

/** What logins must be signed for. */
export interface LoginSettings {
  chainId: number
  /** Hosts with ports under which clients reach this service. */
  hosts: readonly string[]
  /** Whether the established login domain, which names no host, is accepted. */
  compatAuth: boolean
  /** Further chains whose established login is accepted. */
  compatChains?: readonly number[]
}

/** A login that a wallet gave to an operator instead of the exchange. Address and signature in lower case. */
export interface RelayedLogin {
  address: Hex
  /** Unix seconds as text. */
  timestamp: string
  nonce: bigint
  signature: Hex
}

/** Verifies what wallets sign: requests for API keys, and for proxy wallets. */
export class WalletLogin {
  readonly #settings: LoginSettings
  readonly #recover: Recover

  constructor(settings: LoginSettings, recover: Recover) {
    this.#settings = settings
    this.#recover = recover
  }

  /** What a wallet's login must name here: told when another signature came, which most often names another host. */
  get expected(): { host: string | undefined; chain_id: number; compat_chain_ids: number[] } {
    const { hosts, chainId } = this.#settings
    return { host: hosts[0], chain_id: chainId, compat_chain_ids: this.#compatChains }
  }

  /** Chains whose established login is accepted, the exchange's own first. */
  get #compatChains(): number[] {
    const { chainId, compatAuth, compatChains = [] } = this.#settings
    return compatAuth ? [...new Set([chainId, ...compatChains])] : []
  }

  /** The wallet that signed a request, or what is wrong with it. */
  async verify(call: Call, nowSeconds: number): Promise<WalletOwner | 'bad_headers' | 'stale_timestamp' | 'bad_signature'> {
    const read = readHeaders(call.header, walletHeaders)
    if (!read) return 'bad_headers'
    const { address, timestamp, nonce, signature } = read.values
    const seconds = readTimestamp(timestamp)
    const wellFormed = /^0x[0-9a-f]{40}$/i.test(address) && /^(0|[1-9]\d{0,76})$/.test(nonce) && /^0x[0-9a-f]{130}$/i.test(signature)
    if (seconds === null || !wellFormed) return 'bad_headers'
    if (!withinWindow(seconds, nowSeconds, CLOCK_WINDOW_SECONDS)) return 'stale_timestamp'
    const owner = address.toLowerCase() as Hex
    for (const { hash, firstParty } of this.#hashes(call, { address: owner, timestamp, nonce: BigInt(nonce) })) {
      if ((await this.#recover(hash, signature.toLowerCase() as Hex)) !== owner) continue
      return prove<WalletOwner>({
        kind: 'wallet',
        address: owner,
        nonce: BigInt(nonce),
        firstParty,
        deployment: null,
        clientAddress: call.clientAddress,
        answerHeaders: call.answerHeaders,
      })
    }
    return 'bad_signature'
  }

  /**
   * Verifies a login of our own domain that an operator relays. The wallet signed `POST` and `path` for this host, so the operator can do
   * nothing else with it. Throws `stale_login` or `bad_login`.
   */
  async verifyRelayed({ signature, ...signed }: RelayedLogin, path: string, nowSeconds: number): Promise<void> {
    const seconds = readTimestamp(signed.timestamp)
    if (seconds === null || !withinWindow(seconds, nowSeconds, CLOCK_WINDOW_SECONDS)) throw new ServiceError('stale_login')
    const { chainId, hosts } = this.#settings
    for (const host of hosts) {
      const hash = hashTypedData(loginTypedData({ chainId, host, method: 'POST', path, ...signed }))
      if ((await this.#recover(hash, signature)) === signed.address) return
    }
    throw new ServiceError('bad_login')
  }

  /** Verifies that an owner signed for a proxy wallet. Throws `bad_proxy_signature`. */
  async verifyProxy(owner: Hex, signature: Hex): Promise<void> {
    const hash = hashTypedData(createProxyTypedData(this.#settings.chainId))
    if ((await this.#recover(hash, signature)) !== owner) throw new ServiceError('bad_proxy_signature')
  }

  /** Hashes that may have been signed: our own login for each of our hosts, and the established one where it is accepted. */
  *#hashes(call: Call, signed: { address: Hex; timestamp: string; nonce: bigint }): Generator<{ hash: Hex; firstParty: boolean }> {
    const { chainId, hosts } = this.#settings
    const method = call.method === 'POST' ? 'POST' : 'GET'
    for (const host of hosts) {
      yield { hash: hashTypedData(loginTypedData({ chainId, host, method, path: call.path, ...signed })), firstParty: true }
    }
    for (const chain of this.#compatChains)
      yield { hash: hashTypedData(clobAuthTypedData({ chainId: chain, ...signed })), firstParty: false }
  }
}
