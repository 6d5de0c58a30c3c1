import { timingSafeEqual } from 'node:crypto'
import type { Hex } from '@augury/engine/command'
import { Base64Error } from '@augury/signing/base64'
import { headerSpellings, readHeaders, readTimestamp, requestHeaders, withinWindow } from '@augury/signing/headers'
import { keyOf, signingKey } from '@augury/signing/hmac'
import { verifyRequest } from '@augury/signing/request'
import { budgetHeaders } from '@augury/wire/budget'
import type { HeldSecret } from '@augury/wire/compat-stream'
import { CLOCK_WINDOW_SECONDS } from '@augury/wire/limits'
import type { VenueBudgetName } from '@augury/wire/operation'
import { type VenueOperationName, venueOperations, venueRow } from '@augury/wire/operations/venue'
import { ServiceError } from '@augury/wire/service-error'
import { chain, type MaybePromise } from '../../base/maybe-promise.ts'
import type { Venue } from '../../record/venue.ts'
import { type Budgets, tierOf } from './budgets.ts'
import { type Identity, prove, scopeCovers, type Trader, type Visitor } from './identity.ts'
import { type ApiKey, type Keys, passphraseHash } from './keys.ts'
import type { LoadShedder } from './load-shedder.ts'
import type { WalletLogin } from './wallet-login.ts'

/** A request as it came over the wire, whatever the transport. */
export interface Call {
  method: string
  /** Below the mount point, without the query. */
  path: string
  /** The mount point: some established clients sign it. Nothing at the root. */
  mount?: string | undefined
  /** What follows the `?`, or empty. */
  query: string
  /** The exact bytes of the body; empty when there is none. */
  body: Uint8Array
  /** A header by its lower-case name. */
  header(name: string): string | undefined
  /** Who is calling, as `clientAddress` makes it. */
  clientAddress: string
  /** Headers that the answer will carry, refusal or not. */
  answerHeaders: Record<string, string>
}

/** Headers by which established clients identify the program that built a request: secret as well, and ignored here. */
const builderHeaders = ['api_key', 'timestamp', 'passphrase', 'signature'].map((name) => `poly_builder_${name}`)

/** Every spelling of every signed header, in lower case: allowed in cross-origin requests, and never logged. */
export const signedHeaderNames: readonly string[] = [...headerSpellings, ...builderHeaders]

/** The signed login of a socket. */
export interface StreamLogin {
  key: string
  passphrase: string
  timestamp: string
  signature: string
  /** Of the key's owner, if it is sent. */
  address?: string | undefined
}

/** Stands in for an unknown key, so that refusing it takes the same work as refusing a known one. */
const decoy = { hmac: keyOf(Buffer.alloc(32, 1)), passphraseHash: Buffer.alloc(32) }

type Failure = 'bad_headers' | 'unknown_key' | 'stale_timestamp' | 'bad_signature' | 'bad_passphrase'

/** Whether a text is the secret of a key. */
function isSecretOf({ hmac }: Pick<ApiKey, 'hmac'>, secret: string): boolean {
  try {
    return timingSafeEqual(hmac.inner, signingKey(secret).inner)
  } catch (error) {
    if (error instanceof Base64Error) return false
    throw error
  }
}

/** Authenticates calls and counts them against budgets, before the body is parsed. */
export class Gateway {
  readonly #shedder: LoadShedder
  readonly #venue: Venue
  readonly #keys: Keys
  readonly #budgets: Budgets
  readonly #login: WalletLogin
  readonly #wallSeconds: () => number

  constructor(parts: { shedder: LoadShedder; venue: Venue; keys: Keys; budgets: Budgets; login: WalletLogin; wallSeconds?: () => number }) {
    this.#shedder = parts.shedder
    this.#venue = parts.venue
    this.#keys = parts.keys
    this.#budgets = parts.budgets
    this.#login = parts.login
    this.#wallSeconds = parts.wallSeconds ?? (() => Math.floor(Date.now() / 1000))
  }

  /** Whether a request is turned away for load. Asked before its body is read. */
  sheds(name: VenueOperationName, header: Call['header']): boolean {
    return this.#shedder.sheds(name, () => this.#claimed(header))
  }

  /** The identity behind a call. Throws 401, 429, or 503 under overload or while this process may not answer for the exchange. */
  admit(name: VenueOperationName, call: Call): MaybePromise<Identity> {
    this.#shedder.admit(name, () => this.#claimed(call.header))
    const { auth } = venueOperations[name]
    const identity = auth === 'public' ? this.#visitor(call) : auth === 'wallet' ? this.#wallet(call) : this.#signed(call)
    return chain(identity, (proven) => {
      this.#count(name, proven, call)
      return proven
    })
  }

  /** Checks the scope of an identity; runs after the body was parsed. Throws 403. */
  permit(name: VenueOperationName, identity: Identity): void {
    const { auth } = venueOperations[name]
    if (auth === 'public' || auth === 'wallet') return
    if (identity.kind !== 'trader' || !scopeCovers(identity.scope, auth)) throw new ServiceError('insufficient_scope')
  }

  /** Counts the items of a parsed body where each of them counts: all or none. Throws 429. */
  countItems(name: VenueOperationName, identity: Identity, items: number): void {
    const { rateLimit } = venueRow(name)
    if (rateLimit?.each) this.#charge(rateLimit.budget, rateLimit.of, identity, identity.answerHeaders, items)
  }

  /** Counts what a stream does for a trader like a call of the operation. Throws 429. */
  countWithin(name: VenueOperationName, trader: Trader): void {
    this.#count(name, trader, trader)
  }

  /**
   * Lets the end of a socket cancel all orders of the trader. Counts like a beat, as the beginning and the end of such a socket are
   * written down. Throws 403 or 429.
   */
  admitSwitch(trader: Trader): void {
    if (!scopeCovers(trader.scope, 'trade')) throw new ServiceError('insufficient_scope')
    this.#charge('deadMan', 'account', trader, trader.answerHeaders, 1)
  }

  /**
   * The trader behind the login of a private stream, signed like a `GET` of its path. `from` is the client's address. Throws 401, or 503 like
   * `admit`.
   */
  verifyLogin({ key, passphrase, timestamp, signature, address }: StreamLogin, path = '/ws/user', from = ''): Trader {
    const headers: Record<string, string> = {
      svc_address: address ?? this.#keys.find(key.toLowerCase())?.owner ?? `0x${'0'.repeat(40)}`,
      svc_api_key: key,
      svc_passphrase: passphrase,
      svc_timestamp: timestamp,
      svc_signature: signature,
    }
    return this.verifyUpgrade((name) => headers[name], path, from)
  }

  /** The same by the signed headers of the socket's upgrade. */
  verifyUpgrade(header: Call['header'], path: string, from: string): Trader {
    return this.#signed({ method: 'GET', path, query: '', body: new Uint8Array(), header, clientAddress: from, answerHeaders: {} })
  }

  /**
   * The trader of a frame of a socket that `login` opened: admitted and counted like a request. `signature` stands for that of a request: 32
   * bytes that no other frame has. Throws like `admit`, and `unknown_key` when the key was revoked since.
   */
  admitFrame(name: VenueOperationName, login: Trader, signature: Uint8Array, answerHeaders: Call['answerHeaders']): Trader {
    this.#shedder.admit(name, () => login.account)
    const found = this.#keys.find(login.key)
    if (!found) throw new ServiceError('unknown_key')
    this.#requireWriter()
    this.#keys.used(found)
    const trader = prove<Trader>({
      kind: 'trader',
      account: login.account,
      key: login.key,
      scope: login.scope,
      deployment: login.deployment,
      signature,
      idempotencyKey: undefined,
      clientAddress: login.clientAddress,
      answerHeaders,
    })
    this.#count(name, trader, trader)
    return trader
  }

  /**
   * The trader behind a login that sends a key's secrets in plain, which only the established streams accept. Throws 401, or 503 like
   * `admit`.
   */
  verifySecrets({ apiKey, secret, passphrase }: HeldSecret): Trader {
    const found = this.#keys.find(apiKey.toLowerCase())
    const key: ApiKey | typeof decoy = found ?? decoy
    const isSecret = isSecretOf(key, secret)
    const passed = timingSafeEqual(passphraseHash(passphrase), key.passphraseHash)
    if (!found) throw new ServiceError('unknown_key')
    if (!isSecret) throw new ServiceError('bad_signature')
    if (!passed) throw new ServiceError('bad_passphrase')
    this.#requireWriter()
    this.#keys.used(found)
    const { owner: account, scope, deployment } = found
    const request = { signature: new Uint8Array(32), idempotencyKey: undefined, clientAddress: '', answerHeaders: {} }
    return prove<Trader>({ kind: 'trader', account, key: found.key, scope, deployment, ...request })
  }

  #visitor(call: Call): Visitor {
    const { clientAddress, answerHeaders } = call
    if (this.#venue.status().writer === 'standby') answerHeaders['X-Seq'] = String(this.#venue.exchange.seq)
    const visitor = prove<Visitor>({ kind: 'visitor', clientAddress, internal: false, answerHeaders })
    const trader = call.header('svc_api_key') === undefined ? 'bad_headers' : this.#verify(call)
    if (typeof trader === 'string' || this.#tier(trader.account) !== 'internal') return visitor
    return prove<Visitor>({ ...visitor, clientAddress: trader.clientAddress, internal: true })
  }

  async #wallet(call: Call): Promise<Identity> {
    const owner = await this.#login.verify(call, this.#wallSeconds())
    if (typeof owner === 'string') throw new ServiceError(owner, owner === 'bad_signature' ? { details: this.#login.expected } : {})
    this.#requireWriter()
    return owner
  }

  #signed(call: Call): Trader {
    const trader = this.#verify(call)
    if (typeof trader === 'string') throw new ServiceError(trader)
    this.#requireWriter()
    return trader
  }

  /** The account whose key a request names, whether it has its secret or not. */
  #claimed(header: Call['header']): Hex | null {
    const read = readHeaders(header, ['apiKey'])
    return (read && this.#keys.find(read.values.apiKey.toLowerCase())?.owner) ?? null
  }

  /** Private data comes from the writer alone, and only while its lease is verified. */
  #requireWriter(): void {
    const { writer, verified } = this.#venue.status()
    if (writer === 'standby') throw new ServiceError('standby')
    if (!verified) throw new ServiceError('service_unavailable', { retryAfter: 1 })
  }

  /** The trader behind a signed request, or the first thing that is wrong. Always does all the work, so that timing tells nothing. */
  #verify(call: Call): Trader | Failure {
    const read = readHeaders(call.header, requestHeaders)
    if (!read) return 'bad_headers'
    const { address, apiKey, passphrase, timestamp, signature } = read.values
    const seconds = readTimestamp(timestamp)
    if (seconds === null || !/^0x[0-9a-f]{40}$/i.test(address)) return 'bad_headers'
    const found = this.#keys.find(apiKey.toLowerCase())
    const key: ApiKey | typeof decoy = found ?? decoy
    const { method, path, mount, query, body } = call
    const proof = verifyRequest(key.hmac, { timestamp, method, path, mount, query, body }, signature, read.dialect)
    const passed = timingSafeEqual(passphraseHash(passphrase), key.passphraseHash)
    if (!found || found.owner !== address.toLowerCase()) return 'unknown_key'
    if (!withinWindow(seconds, this.#wallSeconds(), CLOCK_WINDOW_SECONDS)) return 'stale_timestamp'
    if (!proof) return 'bad_signature'
    if (!passed) return 'bad_passphrase'
    this.#keys.used(found)
    const behind = call.header('x-client-address')
    const isBehind = behind !== undefined && this.#tier(found.owner) === 'internal'
    return prove<Trader>({
      kind: 'trader',
      account: found.owner,
      key: found.key,
      scope: found.scope,
      deployment: found.deployment,
      signature: proof,
      idempotencyKey: call.header('idempotency-key'),
      clientAddress: isBehind ? behind : call.clientAddress,
      answerHeaders: call.answerHeaders,
    })
  }

  #count(name: VenueOperationName, identity: Identity, { answerHeaders }: Pick<Call, 'answerHeaders'>): void {
    const { rateLimit } = venueRow(name)
    if (rateLimit) this.#charge(rateLimit.budget, rateLimit.of, identity, answerHeaders, rateLimit.each ? 0 : 1)
  }

  #charge(
    budget: VenueBudgetName,
    of: 'account' | 'address',
    identity: Identity,
    answerHeaders: Call['answerHeaders'],
    count: number,
  ): void {
    const standing = this.#take(budget, of, identity, count)
    if (!standing) return
    Object.assign(answerHeaders, budgetHeaders(standing))
    if (!standing.allowed) throw new ServiceError('rate_limited', { retryAfter: Math.max(1, standing.resetSeconds) })
  }

  #take(budget: VenueBudgetName, of: 'account' | 'address', identity: Identity, count: number) {
    const now = this.#venue.now()
    const from = identity.clientAddress
    if (of === 'account') {
      if (identity.kind !== 'trader') throw new Error(`a budget by account needs a key: ${budget}`)
      return this.#budgets.take(budget, identity.account, from, this.#tier(identity.account), now, count)
    }
    return this.#budgets.take(budget, from, from, this.isOurs(identity) ? 'internal' : 'standard', now, count)
  }

  /** Whether a server of our own asks, which asks for many. */
  isOurs(identity: Identity): boolean {
    return identity.kind === 'visitor' ? identity.internal : identity.kind === 'trader' && this.#tier(identity.account) === 'internal'
  }

  #tier(account: Hex) {
    return tierOf(this.#venue.exchange.account(account).tier)
  }
}
