import type { Hex } from 'viem'
import { Halt, NodeError } from './node-error.ts'
import type { Block, Clock, Intent, Node, OutboxStore, Pin, Signer, Version } from './ports.ts'

export interface FeeSettings {
  /** Milliseconds after which a transaction that no block includes is sent again with higher fees. */
  bumpMs: number
  /** Highest `maxFee`, wei a unit of gas. */
  feeCap: bigint
}

export interface Fees {
  maxFee: bigint
  tip: bigint
}

/** What a step of the outbox works with. `confirmed` is the newest confirmed block. */
export interface OutboxWorld {
  node: Node
  clock: Clock
  signer: Signer
  store: OutboxStore
  chainId: number
  fees: FeeSettings
  /** Calldata of an intent that a re-organisation undid, if the same must not happen again; null to send the same bytes. */
  revised(intent: Intent): Promise<Hex | null>
}

export interface OutboxReport {
  /** Nonces whose mined transactions a deep re-organisation undid; they are sent again. */
  reopened: number[]
  /** Intents without a confirmed block, and when the oldest was first signed. */
  open: number
  oldest: number | null
  /** The newest form cannot be raised any more: the cap is below what blocks ask. */
  capped: boolean
  /** What nodes or the signer refused in this step. None of it decides anything. */
  problems: { nonce: number; message: string }[]
}

export type Move = 'wait' | 'done' | 'reopen' | 'sign' | 'send'

/** Replacements raise both fees by an eighth; nodes ask for a tenth. */
const raised = (fee: bigint): bigint => (fee * 9n) / 8n + 1n

/**
 * What to do with an intent. Only its nonce decides: below `confirmed` (the account's nonce at the confirmed block) some form of it was mined,
 * and from there on none was, whatever was believed before. `latest` is the nonce at the head, a hint that saves sending.
 */
export function nextMove(intent: Intent, confirmed: number, latest: number, now: number, market: Fees, fees: FeeSettings): Move {
  const isDone = intent.mined && (intent.booked !== null || intent.purpose.kind === 'pay')
  if (intent.nonce < confirmed) return isDone ? 'wait' : 'done'
  if (intent.mined) return 'reopen'
  if (intent.nonce < latest) return 'wait'
  const newest = intent.versions.at(-1)
  if (!newest) return 'sign'
  // A clock that was set back must not hold a transaction up.
  const isOld = Math.abs(now - newest.at) >= fees.bumpMs
  return isOld && feesAfter(newest, market, fees.feeCap) ? 'sign' : 'send'
}

/** Fees of the next form: those of the market, at least an eighth above the last; null if the cap does not allow it. */
export function feesAfter(last: Fees | undefined, market: Fees, cap: bigint): Fees | null {
  const least = last ? { maxFee: raised(last.maxFee), tip: raised(last.tip) } : { maxFee: 0n, tip: 0n }
  if (least.maxFee > cap) return null
  const maxFee = least.maxFee > market.maxFee ? least.maxFee : market.maxFee < cap ? market.maxFee : cap
  const tip = least.tip > market.tip ? least.tip : market.tip
  return { maxFee, tip: tip < maxFee ? tip : maxFee }
}

/** Appends an intent with the outbox's next nonce, never the node's. Durable when it resolves; sent by the next `advanceOutbox`. */
export async function enqueue(store: OutboxStore, work: Pick<Intent, 'purpose' | 'to' | 'data' | 'gas'>): Promise<Intent> {
  const nonce = await store.nextNonce()
  if (nonce === null) throw new RangeError('the outbox has not begun')
  const intent: Intent = { ...work, nonce, versions: [], mined: false, booked: null }
  await store.add(intent)
  return intent
}

/**
 * Advances every intent by one step: marks those whose nonce a confirmed block used, reopens those that a re-organisation undid, signs, raises
 * fees, and sends, lowest nonce first. A crash at any point loses nothing. Throws `NodeError`, and `Halt` if the key is used elsewhere.
 */
export async function advanceOutbox(world: OutboxWorld, pin: Pin): Promise<OutboxReport> {
  const { node, clock, signer, store, fees } = world
  const head = await node.block('latest')
  if (!head) throw new NodeError('garbage', 'the node has no block')
  const latest = await node.nonce(signer.address, head)
  if ((await store.nextNonce()) === null) await store.begin(latest)
  const confirmed = await node.nonce(signer.address, pin)
  const next = (await store.nextNonce())!
  if (confirmed > next) throw new Halt('key_shared', `nonce ${confirmed} is confirmed, and the outbox gave out ${next} only`)
  await unbook(world)
  const tip = await node.tip()
  const market = { maxFee: 2n * head.baseFee + tip, tip }
  const report: OutboxReport = { reopened: [], open: 0, oldest: null, capped: false, problems: [] }
  for (const found of await store.intents(confirmed)) {
    const move = (intent: Intent) => nextMove(intent, confirmed, latest, clock.now(), market, fees)
    const intent = await accounted(world, found, move(found), pin)
    if (move(found) === 'reopen') report.reopened.push(intent.nonce)
    if (intent.mined) continue
    const newest = await dispatch(world, intent, move, market, report)
    report.open++
    report.oldest ??= intent.versions[0]?.at ?? null
    if (newest && newest.maxFee < head.baseFee && !feesAfter(newest, market, fees.feeCap)) report.capped = true
  }
  return report
}

/** Makes durable what the chain says of an intent: that it is mined, or is not any more. */
async function accounted({ store, revised }: OutboxWorld, intent: Intent, move: Move, pin: Pin): Promise<Intent> {
  if (move !== 'done' && move !== 'reopen') return intent
  const next = { ...intent, mined: move === 'done', booked: move === 'done' && intent.purpose.kind !== 'pay' ? pin : null }
  const data = move === 'reopen' ? await revised(intent) : null
  // With other calldata, the bytes signed before must not be sent again.
  if (data !== null && data !== intent.data) Object.assign(next, { data, versions: [] })
  await store.save(next)
  return next
}

/** Signs and sends an intent as its move says. Returns its newest form. */
async function dispatch(
  world: OutboxWorld,
  intent: Intent,
  move: (intent: Intent) => Move,
  market: Fees,
  { problems }: OutboxReport,
): Promise<Version | undefined> {
  const note = (error: unknown) => {
    problems.push({ nonce: intent.nonce, message: error instanceof Error ? error.message : String(error) })
  }
  let current = intent
  if (move(current) === 'sign') current = (await signed(world, current, market, note)) ?? current
  if (move(current) === 'send') current = await submit(world, current, market, note)
  return current.versions.at(-1)
}

/** Booked intents read at once. */
const PAGE = 50

/**
 * Forgets the bookings of blocks that a re-organisation replaced: the same transactions may have been mined again before anybody looked, with other
 * results.
 */
async function unbook({ node, store }: OutboxWorld): Promise<void> {
  const replaced: Intent[] = []
  for (let isReplaced = true, skip = 0; isReplaced; skip += PAGE) {
    const page = await store.booked(skip, PAGE)
    for (const intent of page) {
      const block: Block | null = isReplaced ? await node.block(intent.booked!.number) : null
      isReplaced = isReplaced && block !== null && block.hash !== intent.booked!.hash
      if (isReplaced) replaced.push(intent)
    }
    if (page.length < PAGE) break
  }
  // Oldest first: cut short, the newest still shows that there is something to do.
  for (const intent of replaced.reverse()) await store.save({ ...intent, booked: null })
}

/** Signs the next form and makes it durable, so that it is known whatever the node does with it. Null if that failed. */
async function signed(
  { chainId, signer, store, clock, fees }: OutboxWorld,
  intent: Intent,
  market: Fees,
  note: (error: unknown) => void,
): Promise<Intent | null> {
  const { nonce, to, data, gas, versions } = intent
  const price = feesAfter(versions.at(-1), market, fees.feeCap)
  if (!price) return null
  const raw = await signer.sign({ chainId, nonce, to, data, gas, ...price }).catch(note)
  if (!raw) return null
  const next = { ...intent, versions: [...versions, { ...price, raw, at: clock.now() }] }
  await store.save(next)
  return next
}

/**
 * What nodes say of a transaction whose fee does not replace the one they hold: Geth, Reth, Besu, Hardhat and Anvil the first, Erigon the second,
 * Nethermind the next two, OpenEthereum the last. Where a node says something else, the next form follows after `bumpMs`.
 */
const UNDERPRICED = /underpriced|could not replace existing|replacement ?not ?allowed|fee ?too ?low|same nonce in the queue/i

/** Sends the newest form; once more, with higher fees, where the node holds another transaction of this nonce. */
async function submit(world: OutboxWorld, intent: Intent, market: Fees, note: (error: unknown) => void): Promise<Intent> {
  const { node } = world
  const problem = await node.send(intent.versions.at(-1)!.raw).catch((error: unknown) => error)
  const isUnderpriced = problem instanceof NodeError && UNDERPRICED.test(problem.message)
  const next = isUnderpriced ? await signed(world, intent, market, note) : null
  if (next) await node.send(next.versions.at(-1)!.raw).catch(note)
  else if (problem) note(problem)
  return next ?? intent
}
