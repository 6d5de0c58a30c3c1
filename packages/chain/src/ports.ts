import type { Hex } from 'viem'

/** Time, passed in so that tests and the simulator decide it. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number
  /** Resolves after this many milliseconds, or at once when `signal` aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/** A block by number and hash. Reads name both, so that a re-organisation between two reads is noticed. */
export interface Pin {
  number: number
  hash: Hex
}

export interface Block extends Pin {
  parent: Hex
  /** Unix seconds. */
  at: number
  /** Wei a unit of gas. */
  baseFee: bigint
}

export interface Log {
  address: Hex
  topics: readonly Hex[]
  data: Hex
  block: Pin
  transaction: Hex
}

export interface Call {
  to: Hex
  data: Hex
  /** Caller; only needed where the contract checks it. */
  from?: Hex
  /** Wei sent along, in hex; none if absent. */
  value?: Hex
}

/**
 * A node of the chain. Every answer may be late, wrong or missing: all methods throw `NodeError`, and no answer alone moves money. Addresses,
 * hashes and data are lower-case.
 */
export interface Node {
  chainId(): Promise<number>
  /** A block; null if the node has none there. `finalized` may stop advancing for a while. */
  block(at: number | 'latest' | 'finalized'): Promise<Block | null>
  /** Results of calls at one block, all or none. Throws a `NodeError` of kind `reverted` if one of them reverts. */
  call(calls: readonly Call[], at: Pin): Promise<Hex[]>
  /** Logs of a contract in a range of blocks, both ends included, oldest first. `topics` are values of the first topic. */
  logs(filter: { address: Hex; topics: readonly Hex[]; from: number; to: number }): Promise<Log[]>
  /** Number of transactions of an account at a block: the first nonce that is not used there. */
  nonce(account: Hex, at: Pin): Promise<number>
  /** Wei of an account at a block. */
  balance(account: Hex, at: Pin): Promise<bigint>
  /** Code at an address at a block; `0x` if none. */
  code(address: Hex, at: Pin): Promise<Hex>
  /** Tip that the node suggests, wei a unit of gas. */
  tip(): Promise<bigint>
  /** Submits signed bytes. Success means that the node took them, not that they will be mined. */
  send(raw: Hex): Promise<void>
}

/** What reads contracts at a block: a node, or a browser's own calls to one. */
export type Caller = Pick<Node, 'call'>

/** One or two nodes, as one each. */
export interface Nodes {
  /** The first node that answers. */
  any: Node
  /** Both nodes with the same answer; the only node where one is configured. For amounts above the limit. */
  both: Node
}

/** An EIP-1559 transaction to sign. A settler sends no value. */
export interface Transaction {
  chainId: number
  nonce: number
  to: Hex
  data: Hex
  gas: number
  /** Wei a unit of gas. */
  maxFee: bigint
  tip: bigint
  /** Wei sent along; none if absent. */
  value?: bigint
}

/** Holder of the hot key. */
export interface Signer {
  /** Lower-case. */
  address: Hex
  /** Signed bytes; signing the same twice may give different bytes. Throws if the signature is not of `address` over exactly this transaction. */
  sign(transaction: Transaction): Promise<Hex>
}

/** A deposit as the vault numbered it. Amounts are millionths. */
export interface Deposit {
  /** The contract's number, from 1. */
  n: number
  account: Hex
  sender: Hex
  amount: number
  /** Sum of all deposits up to this one, as the contract keeps it. */
  total: number
  block: Pin
  transaction: Hex
}

/** A withdrawal set aside on the exchange and approved, not yet ended there. */
export interface Withdrawal {
  /** The exchange's reference. */
  ref: string
  account: Hex
  to: Hex
  /** Millionths. */
  amount: number
  /** Position in the exchange's log where the amount was set aside. */
  seq: number
  /** Whether its member cancelled it before it was claimed for payment: its money goes back. */
  isCancelled?: boolean
}

/** A deposit to credit. */
export interface Credit {
  ref: string
  account: Hex
  sender: Hex
  /** Millionths. */
  amount: number
}

/** The exchange's accounts, through its operator API. Every method is idempotent by `ref`. */
export interface Ledger {
  /**
   * Credits deposits, each once, in their order: however it is cut short, those that are credited are the first ones. Returns the reference of the
   * first that was credited before with other content, at which it stops; null if all are credited. Throws to be retried.
   */
  credit(credits: readonly Credit[]): Promise<string | null>
  /** Withdrawals that wait for payment, oldest first. */
  withdrawals(): Promise<Withdrawal[]>
  /** Claims withdrawals for payment, for ever. Returns those that are claimed so, now or before: the others were cancelled by their members. */
  claim(refs: readonly string[]): Promise<ReadonlySet<string>>
  /** How withdrawals stand, by their references. */
  endings(refs: readonly string[]): Promise<('waiting' | 'settled' | 'returned')[]>
  /** Ends a withdrawal: the money has left. */
  settle(ref: string): Promise<void>
  /** Ends a withdrawal: the money goes back to the account. */
  giveBack(ref: string): Promise<void>
}

/** A payment of the vault. */
export interface Payment {
  /** The contract's reference: 32 bytes. */
  ref: Hex
  /** The exchange's reference. */
  name: string
  account: Hex
  to: Hex
  /** Millionths. */
  amount: number
}

/** What a transaction is for. */
export type Purpose =
  | { kind: 'pay'; payments: readonly Payment[] }
  | { kind: 'post'; n: number } // number of the root on the chain
  | { kind: 'sweep'; accounts: readonly Hex[] }
  | { kind: 'wallet'; owner: Hex }
  | { kind: 'other'; name: string }

/** One signed form of an intent. All forms share nonce, gas and calldata, so at most one of them is ever mined. */
export interface Version {
  /** Wei a unit of gas. */
  maxFee: bigint
  tip: bigint
  raw: Hex
  /** Unix milliseconds of its signature. */
  at: number
}

/** A transaction that is to be mined. It is durable before any form of it is sent. */
export interface Intent {
  nonce: number
  purpose: Purpose
  to: Hex
  data: Hex
  gas: number
  /** Oldest first. */
  versions: readonly Version[]
  /** Whether its nonce was used at a confirmed block. Says nothing of what the transaction did. */
  mined: boolean
  /** The confirmed block at which what it did was looked at, and acted upon; null until then. */
  booked: Pin | null
}

/** Durable intents of one key. What a method wrote is durable when it resolves. */
export interface OutboxStore {
  /** The nonce of the next intent; null before `begin`. */
  nextNonce(): Promise<number | null>
  /** Sets the first nonce, once. */
  begin(nonce: number): Promise<void>
  /** Intents that are not booked, and all from a nonce on, by nonce. */
  intents(from: number): Promise<Intent[]>
  /** Booked intents, those of the highest blocks first, after skipping some. */
  booked(skip: number, limit: number): Promise<Intent[]>
  /** Adds an intent. Throws, and writes nothing, unless its nonce is the next. */
  add(intent: Intent): Promise<void>
  /** Replaces the intent with this nonce. */
  save(intent: Intent): Promise<void>
}

/** Credited deposits, durable. What a method wrote is durable when it resolves. */
export interface DepositStore {
  /** The newest credited deposits below a number (null: of all), newest first. */
  credited(below: number | null, limit: number): Promise<Deposit[]>
  /** Adds deposits that the exchange has credited. Throws, and writes nothing, unless their numbers are the next ones. */
  add(deposits: readonly Deposit[]): Promise<void>
  /** Replaces the blocks and transactions of credited deposits that a re-organisation moved. */
  move(deposits: readonly Deposit[]): Promise<void>
  /** A block up to which the vault has no deposit that is not credited; null if unknown. Only saves work. */
  scanned(): Promise<Pin | null>
  setScanned(block: Pin): Promise<void>
}
