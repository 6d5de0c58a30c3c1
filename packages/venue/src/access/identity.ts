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

/** Anybody, known by the address that a request came from. */
export interface Visitor extends Verified {
  readonly kind: 'visitor'
  readonly clientAddress: string
  /** A server of our own, which signs also what anybody may ask. */
  readonly internal: boolean
}

/** Somebody who proved, for one request, to control a wallet. */
export interface WalletOwner extends Verified {
  readonly kind: 'wallet'
  readonly address: Hex
  readonly nonce: bigint
  /** Signed in our own domain; only such a signature makes operator and venue keys. */
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
  /** Operator through which the key was created: where its fees go; null for the condition's creator. */
  readonly deployment: Hex | null
  /** The 32 bytes of the request's signature: what makes the ids of plain orders and of other requests. */
  readonly signature: Uint8Array
  /** What its sender calls it, to send it again signed anew: `Idempotency-Key`, which is not signed. */
  readonly idempotencyKey: string | undefined
  /** Whoever stands behind the request, for budgets by address. */
  readonly clientAddress: string
}

export type Identity = Visitor | WalletOwner | Trader

/** Makes an identity. Called by verification (`gateway`) and by nothing else. */
export const prove = <Proven extends Identity>(facts: Omit<Proven, typeof verified>): Proven => facts as Proven
