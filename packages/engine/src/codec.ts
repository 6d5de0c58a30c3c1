import type { CancelReason, Command, CommandOf, Hex, Outcome, Place } from './command.ts'
import { ADDRESS, bytes, HASH, INTEGER, list, nested, oneOf, orNull, type Parts, packed, sequence, struct, WORD } from './fields.ts'
import { ORDER_TYPES, SELF_TRADES, SIDES } from './order-terms.ts'
import { MATCHED, PLACE, placeInReplace, REPLACE } from './placement.ts'
import { VENUE_MODES } from './state.ts'
import { DecodeError, WordReader, WordWriter, wordsOf } from './words.ts'

/** Version of the format; the first byte of every command. */
const FORMAT = 1
/** The longest annex, in bytes. */
const MAX_ANNEX = 160
/** The most conditions of one convert. */
const MAX_CONVERT = 1_000

const OUTCOMES: readonly Outcome[] = [0, 1]
const BOOLEANS = [false, true] as const
const MAYBE_OUTCOME = oneOf([null, 0, 1] as const)
const CANCEL_REASONS: readonly CancelReason[] = ['user', 'cancel_all', 'market_cancel', 'heartbeat', 'disconnect', 'admin']
const SETTABLE_MODES = [null, 'open', 'paused', 'cancel_only', 'closed'] as const

type Of<T extends Command['type']> = Omit<CommandOf<T>, 'type'>

/** The layout is `PLACE` in placement.ts: the engine reads it in place. */
const PLACE_PARTS = sequence<Of<'place'>>(
  struct({ orderId: HASH, account: ADDRESS, condition: HASH }),
  packed({
    outcome: oneOf(OUTCOMES),
    side: oneOf(SIDES),
    orderType: oneOf(ORDER_TYPES),
    selfTrade: oneOf(SELF_TRADES),
    postOnly: oneOf(BOOLEANS),
  }),
  struct({ price: WORD, lots: INTEGER, budget: INTEGER, expiration: INTEGER, deployment: orNull(ADDRESS), annex: bytes(MAX_ANNEX) }),
)

const PLACE_COMMAND = nested<Place>(PLACE_PARTS, () => ({ type: 'place' }))
const EVENT = nested(struct({ id: HASH, size: WORD }))
const REPLACE_FLAGS = packed({
  requireCancel: oneOf(BOOLEANS),
  onlyIf: oneOf(['any', 'unfilled', 'partially_filled', 'matched'] as const),
})
/** `matched` follows the flags only when it is used, which keeps the encoding of older journals. */
const REPLACE_TERMS: Parts<Pick<Of<'replace'>, 'requireCancel' | 'onlyIf'>> = {
  write(to, { requireCancel, onlyIf }) {
    const isCounted = typeof onlyIf === 'object'
    REPLACE_FLAGS.write(to, { requireCancel, onlyIf: isCounted ? 'matched' : onlyIf })
    if (isCounted) INTEGER.write(to, onlyIf.matched)
  },
  readInto(value, from) {
    const flags: Partial<Parameters<typeof REPLACE_FLAGS.write>[1]> = {}
    REPLACE_FLAGS.readInto(flags, from)
    value.requireCancel = flags.requireCancel
    value.onlyIf = flags.onlyIf === 'matched' ? { matched: INTEGER.read(from) } : flags.onlyIf
  },
}
const ONE_ORDER = { account: ADDRESS, orderId: HASH }
const REQUEST = { account: ADDRESS, condition: HASH, lots: INTEGER, request: HASH }
const MONEY = { account: ADDRESS, amount: INTEGER, ref: HASH }

/** Each command's number and parts. The journal holds them, so a number never changes its meaning. */
const LAYOUTS: { [T in Command['type']]: { number: number; parts: Parts<Of<T>> } } = {
  place: { number: 1, parts: PLACE_PARTS },
  cancel: { number: 2, parts: struct(ONE_ORDER) },
  cancel_all: {
    number: 3,
    parts: sequence(
      struct({ account: ADDRESS, condition: orNull(HASH) }),
      packed({ outcome: MAYBE_OUTCOME, reason: oneOf(CANCEL_REASONS) }),
    ),
  },
  reduce: { number: 4, parts: struct({ account: ADDRESS, orderId: HASH, lots: INTEGER }) },
  replace: {
    number: 5,
    parts: sequence(struct({ cancel: HASH }), REPLACE_TERMS, struct({ place: PLACE_COMMAND })),
  },
  deposit: { number: 6, parts: struct(MONEY) },
  withdraw: { number: 7, parts: struct(MONEY) },
  end_withdrawal: { number: 8, parts: sequence(struct({ ref: HASH }), packed({ outcome: oneOf(['settled', 'returned'] as const) })) },
  split: { number: 9, parts: struct(REQUEST) },
  merge: { number: 10, parts: struct(REQUEST) },
  convert: {
    number: 11,
    parts: struct({ account: ADDRESS, event: HASH, conditions: list(HASH, MAX_CONVERT), lots: INTEGER, request: HASH }),
  },
  redeem: { number: 12, parts: struct({ account: ADDRESS, condition: HASH, request: HASH }) },
  redeem_all: { number: 13, parts: struct({ condition: HASH, limit: WORD }) },
  register: {
    number: 14,
    parts: struct({
      condition: HASH, creator: ADDRESS, grid: WORD, minLots: INTEGER, minNotional: INTEGER,
      feeBps: WORD, rebateBps: WORD, affiliateBps: WORD, event: orNull(EVENT),
    }), // biome-ignore format: one line a group
  },
  set_condition: {
    number: 15,
    parts: sequence(
      struct({ condition: HASH }),
      packed({ mode: oneOf(SETTABLE_MODES) }),
      struct({ grid: orNull(WORD), feeBps: orNull(WORD) }),
    ),
  },
  resolve: { number: 16, parts: struct({ condition: HASH, weight: WORD }) },
  sweep: { number: 17, parts: struct({ limit: WORD }) },
  set_mode: { number: 18, parts: packed({ mode: oneOf(VENUE_MODES) }) },
  set_account: {
    number: 19,
    parts: sequence(
      struct({ account: ADDRESS, referrer: orNull(ADDRESS), tier: orNull(WORD), stpGroup: orNull(WORD) }),
      packed({ banned: oneOf([null, false, true] as const) }),
    ),
  },
  dead_man: {
    number: 20,
    parts: sequence(struct({ account: ADDRESS, deadline: INTEGER }), packed({ reason: oneOf(['heartbeat', 'disconnect'] as const) })),
  },
  upgrade: { number: 21, parts: struct({ rules: WORD }) },
  cancel_in_batch: { number: 22, parts: struct(ONE_ORDER) },
}

const BY_NUMBER = new Map(Object.entries(LAYOUTS).map(([type, { number, parts }]) => [number, { type, parts: parts as Parts<object> }]))

/** The numbers of the commands the engine reads without making an object. */
export const PLACE_NUMBER = LAYOUTS.place.number
const CANCEL_NUMBER = LAYOUTS.cancel.number
const CANCEL_IN_BATCH_NUMBER = LAYOUTS.cancel_in_batch.number
export const REPLACE_NUMBER = LAYOUTS.replace.number

const writer = new WordWriter()

/** The binary form of a command: format, number, length in words (2 bytes), then its parts in little-endian words. Throws RangeError on a value no command may have. */
export const encodeCommand = (command: Command): Uint8Array => encodeRow([command])

/** Commands one after the other, as a row holds them. Throws RangeError like `encodeCommand`. */
export function encodeRow(commands: readonly Command[]): Uint8Array {
  writer.length = 0
  for (const command of commands) {
    const { number, parts } = LAYOUTS[command.type]
    const head = writer.length
    writer.word(0)
    ;(parts as Parts<object>).write(writer, command)
    writer.words[head] = FORMAT | (number << 8) | ((writer.length - head) << 16)
  }
  return writer.copy()
}

/** The commands of a row. Throws DecodeError on anything that `encodeCommand` would not have written. */
export function decodeCommands(bytes: Uint8Array): Command[] {
  const words = wordsOf(bytes)
  const commands: Command[] = []
  for (let at = 0; at < words.length; at += words[at]! >>> 16) commands.push(decodeCommand(words, at))
  return commands
}

/** Accounts of the commands of a row that cancel one order each, in order. Other commands are skipped without decoding them, which is fast. */
export function cancellersIn(bytes: Uint8Array): Hex[] {
  const words = wordsOf(bytes)
  const accounts: Hex[] = []
  for (let at = 0; at < words.length; at += words[at]! >>> 16) {
    const head = words[at]!
    if (((head >>> 8) & 255) === CANCEL_NUMBER || head >>> 16 === 0)
      accounts.push((decodeCommand(words, at) as CommandOf<'cancel'>).account)
  }
  return accounts
}

/** The command that begins at `words[at]`. */
function decodeCommand(words: Uint32Array, at: number): Command {
  const head = words[at]!
  const length = head >>> 16
  const layout = BY_NUMBER.get((head >>> 8) & 255)
  if ((head & 255) !== FORMAT) throw new DecodeError(`format ${head & 255} is not ${FORMAT}`)
  if (layout === undefined) throw new DecodeError(`no command has the number ${(head >>> 8) & 255}`)
  if (length === 0 || at + length > words.length) throw new DecodeError('a command longer than its row')
  const from = new WordReader(words, at + 1, at + length)
  const command = { type: layout.type }
  layout.parts.readInto(command, from)
  if (from.at !== from.end) throw new DecodeError('a command longer than its parts')
  return command as Command
}

/** Checks a whole row before any of it is applied, and reads what the engine does not read in place, in order. Throws DecodeError. */
export function checkRow(words: Uint32Array): Command[] {
  const commands: Command[] = []
  for (let at = 0; at < words.length; at += words[at]! >>> 16) {
    const number = (words[at]! >>> 8) & 255
    if (isPlain(words, at, number)) continue
    const command = decodeCommand(words, at)
    if (!isReadInPlace(number)) commands.push(command)
  }
  return commands
}

/** Whether the engine reads commands of a number from their words. */
const isReadInPlace = (number: number): boolean => number === PLACE_NUMBER || isCancel(number) || number === REPLACE_NUMBER

/** Whether a number is of one of the two cancels, which have the same parts. */
export const isCancel = (number: number): boolean => number === CANCEL_NUMBER || number === CANCEL_IN_BATCH_NUMBER

/** Whether a well-formed command that the engine reads in place begins here; checks it without decoding an object. */
function isPlain(words: Uint32Array, at: number, number: number): boolean {
  const length = words[at]! >>> 16
  const end = at + length
  if ((words[at]! & 255) !== FORMAT || end > words.length) return false
  if (number === PLACE_NUMBER) return isPlace(words, at + 1, end)
  if (number === REPLACE_NUMBER) return isReplace(words, at + 1, end)
  return isCancel(number) && length === CANCEL_LENGTH
}

/** Words of a cancel with its head. */
const CANCEL_LENGTH = 14

/** Whether the parts of a replace stand between `body` and `end`. */
function isReplace(words: Uint32Array, body: number, end: number): boolean {
  const flags = words[body + REPLACE.flags]!
  const areTerms = (flags & 15) < 2 && flags >>> 4 <= MATCHED && (flags >>> 4 < MATCHED || words[body + REPLACE.matched + 1]! <= HIGHEST)
  return isPlace(words, body + placeInReplace(flags), end) && areTerms
}

/** The high word of the largest count. */
const HIGHEST = 0x1f_ffff

/** Whether the parts of a placement stand between `body` and `end`. */
function isPlace(words: Uint32Array, body: number, end: number): boolean {
  if (end < body + PLACE.deployment + 2) return false
  const flags = words[body + PLACE.flags]!
  const areFlags =
    flags >>> 17 === 0 && (flags & 15) < 2 && ((flags >>> 4) & 15) < 2 && ((flags >>> 8) & 15) < 4 && ((flags >>> 12) & 15) < 5
  const highest = Math.max(words[body + PLACE.lots + 1]!, words[body + PLACE.budget + 1]!, words[body + PLACE.expiration + 1]!)
  const hasDeployment = words[body + PLACE.deployment]!
  const annex = body + PLACE.deployment + (hasDeployment === 1 ? 6 : 1)
  if (!areFlags || highest > HIGHEST || hasDeployment > 1 || annex >= end) return false
  const bytes = words[annex]!
  const last = annex + ((bytes + 3) >>> 2)
  const isPadded = bytes % 4 === 0 || words[last]! >>> ((bytes % 4) * 8) === 0
  return bytes <= MAX_ANNEX && last + 1 === end && isPadded
}
