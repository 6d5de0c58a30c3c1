import type { Refusal } from './event.ts'
import { FeeSplit } from './fees.ts'
import { Match } from './match.ts'
import { FAK, FOK } from './order-terms.ts'

/** Where the fields of a placement stand in its words; `codec.ts` writes them there. */
export const PLACE = {
  id: 0,
  account: 8,
  condition: 13,
  flags: 21,
  price: 22,
  lots: 23,
  budget: 25,
  expiration: 27,
  deployment: 29,
} as const

/** The same of a replace, which begins with the id of the order to be replaced. `matched` is only present when `onlyIf` is MATCHED. */
export const REPLACE = { flags: 8, matched: 9 } as const
/** Values of `onlyIf` in its flags; 2 is partially filled. */
export const ANY = 0
export const UNFILLED = 1
export const MATCHED = 3
/** Offset of the placement inside a replace. */
export const placeInReplace = (flags: number): number => (flags >>> 4 === MATCHED ? 11 : 9)
/** The count in the two words at `at`. */
export const countAt = (words: Uint32Array, at: number): number => words[at]! + words[at + 1]! * 0x1_0000_0000

/** A new order while it is applied, and what `plan` decided about it. One object is reused for all orders. */
export class Placement {
  words: Uint32Array = new Uint32Array(0)
  idAt = 0
  accountAt = 0
  conditionAt = 0
  /** 0 when the account is new. */
  account = 0
  condition = 0
  outcome = 0
  side = 0
  type = 0
  selfTrade = 0
  postOnly = false
  price = 0
  /** The price as requested: that of an order by budget is rounded to the grid. */
  askedPrice = 0
  lots = 0
  budget = 0
  expiration = 0
  /** Where the deployment's fee account stands, or 0. */
  deploymentAt = 0
  annexAt = 0
  annexBytes = 0
  /** The remembered order with the same id, or 0; and one that ended too long ago to be remembered, whose slot is freed. */
  known = 0
  forgotten = 0
  /** The order that this one replaces, or 0. */
  replaced = 0

  /** What `plan` decided. After a refusal nothing else below is valid. */
  refusal: Refusal | null = null
  available = 0
  reserved = 0
  required = 0
  state = 0
  reason = 0
  /** Lots that go into the book. */
  rest = 0
  readonly match = new Match()
  readonly fees = new FeeSplit()

  /** Takes its fields from the words of a placement that begin at `at`, which have been checked. */
  read(words: Uint32Array, at: number): void {
    const flags = words[at + PLACE.flags]!
    this.words = words
    this.idAt = at + PLACE.id
    this.accountAt = at + PLACE.account
    this.conditionAt = at + PLACE.condition
    this.outcome = flags & 15
    this.side = (flags >>> 4) & 15
    this.type = (flags >>> 8) & 15
    this.selfTrade = (flags >>> 12) & 15
    this.postOnly = flags >>> 16 !== 0
    this.price = this.askedPrice = words[at + PLACE.price]!
    this.lots = countAt(words, at + PLACE.lots)
    this.budget = countAt(words, at + PLACE.budget)
    this.expiration = countAt(words, at + PLACE.expiration)
    const hasDeployment = words[at + PLACE.deployment] !== 0
    const annex = at + PLACE.deployment + (hasDeployment ? 6 : 1)
    this.deploymentAt = hasDeployment ? at + PLACE.deployment + 1 : 0
    this.annexBytes = words[annex]!
    this.annexAt = annex + 1
    this.replaced = 0
    this.refusal = null
    this.rest = 0
    this.known = this.forgotten = this.available = this.reserved = this.required = 0
  }

  /** Whether it never rests: filled at once, or ended. */
  get isImmediate(): boolean {
    return this.type === FOK || this.type === FAK
  }
}
