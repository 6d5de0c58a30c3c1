import type { Hex } from '@augury/engine/command'
import { type Scope, scopes } from '@augury/wire/credentials'

/** Whether a key of `scope` may do what needs `needed`. */
export const scopeCovers = (scope: Scope, needed: Scope): boolean => scopes.indexOf(scope) >= scopes.indexOf(needed)

declare const verified: unique symbol
interface Verified {
  readonly [verified]: true
  /** Headers that the answer will carry, refusal or not; use cases may add one. */
  readonly answerHeaders: Record<string, string>
}

/** Anybody, known only by the address that the request came from. */
export interface Visitor extends Verified {
  readonly kind: 'visitor'
  readonly clientAddress: string
  /** Whether it is a server of our own: those sign public requests too. */
  readonly internal: boolean
}

/** The wallet that signed this one request. */
export interface WalletOwner extends Verified {
  readonly kind: 'wallet'
  readonly address: Hex
  readonly nonce: bigint
  /** Whether it was signed in our own domain: only then may it make operator and venue keys. */
  readonly firstParty: boolean
  /** Operator whose signed request relayed this one, or null. */
  readonly deployment: Hex | null
  readonly clientAddress: string
}

/** A request signed with an API key. */
export interface Trader extends Verified {
  readonly kind: 'trader'
  /** The account: owner of the key. */
  readonly account: Hex
  /** Public identifier of the key. */
  readonly key: string
  readonly scope: Scope
  /** Operator through which the key was created, who gets its fees; null for the condition's creator. */
  readonly deployment: Hex | null
  /** The 32 bytes of the request's signature: ids of plain orders and other requests are made from it. */
  readonly signature: Uint8Array
  /** The `Idempotency-Key` header, under which a request may be signed and sent again; it is not signed itself. */
  readonly idempotencyKey: string | undefined
  /** Address of the client, also when a server of ours forwards its request. For budgets by address. */
  readonly clientAddress: string
}

/** The caller of a request. */
export type Identity = Visitor | WalletOwner | Trader

/** Makes an identity. Only verification may call it: `gateway` and `wallet-login`. */
export const prove = <Proven extends Identity>(facts: Omit<Proven, typeof verified>): Proven => facts as Proven
