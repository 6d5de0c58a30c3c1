import { decodeCommands, encodeCommand } from '@augury/engine/codec'
import type { Command, Hex } from '@augury/engine/command'
import type { JournalRow } from '@augury/venue/record/log/journal'
import { Session } from './session.ts'

/** A client's record of one command that it sent, in simulated milliseconds. */
export interface Operation {
  command: Command
  sentAt: number
  answeredAt: number | null
  /** Whether it was answered, denied (it did not and will not happen), or is unknown. */
  outcome: 'answered' | 'never' | 'unknown'
  seq: number
  at: number
  /** The events of the answer, as JSON. */
  told: string
  /** Number of the trading socket on which it was one of many under way; null when it was sent alone. */
  socket: number | null
}

/** An order as a client read it. */
export interface Look {
  time: number
  seq: number
  orderId: Hex
  shown: string
}

/** Everything that the clients of a run saw. */
export interface History {
  operations: Operation[]
  looks: Look[]
}

/** Any value of the exchange as JSON. */
export const asJson = (value: unknown): string => JSON.stringify(value)

/**
 * Checks what clients saw against the journal: every answer is in the journal, at its position and with its events; nothing that was denied
 * is there, nor anything that was never sent; commands of one socket are in the order in which they were sent; and a command answered before another was sent comes before it. The journal is a total order of
 * all commands, so this is linearizability. Returns what is wrong, or null.
 */
export function judge(rows: JournalRow[], history: History): { wrong: string | null; session: Session } {
  const session = new Session(true)
  const answered = new Map<number, Operation>()
  for (const operation of history.operations) {
    if (operation.outcome !== 'answered') continue
    if (answered.has(operation.seq)) return { wrong: `two answers from position ${operation.seq}`, session }
    answered.set(operation.seq, operation)
  }
  const looks = new Map<number, Look[]>()
  for (const look of history.looks) looks.set(look.seq, [...(looks.get(look.seq) ?? []), look])
  const written = new Map<string, number>()
  let wrong: string | null = null
  session.onOutcome = (seq, at, command, events) => {
    const bytes = Buffer.from(encodeCommand(command)).toString('base64')
    if (command.type !== 'sweep') written.set(bytes, (written.get(bytes) ?? 0) + 1)
    const operation = answered.get(seq)
    answered.delete(seq)
    if (!operation) return
    if (operation.at !== at) wrong ??= `${seq} was answered with time ${operation.at} and written with ${at}`
    if (!Buffer.from(encodeCommand(operation.command)).equals(encodeCommand(command)))
      wrong ??= `${seq} was answered to another command than is written`
    if (operation.told !== asJson(events)) wrong ??= `${seq} was answered with ${operation.told}, the journal gives ${asJson(events)}`
  }
  for (const row of rows) {
    const failure = session.apply({ at: row.at, commands: decodeCommands(row.commands) }, false)
    if (failure) return { wrong: failure.what, session }
    for (const look of looks.get(row.lastSeq) ?? []) {
      const is = asJson(session.exchange.order(look.orderId))
      if (is !== look.shown) wrong ??= `after ${row.lastSeq} an order was shown as ${look.shown}, it is ${is}`
    }
  }
  const last = session.apply({ at: rows.at(-1)?.at ?? 0, commands: [] }, true)
  wrong ??= last?.what ?? null
  wrong ??= answered.size > 0 ? `answered and not in the journal: ${[...answered.keys()].slice(0, 5).join(', ')}` : null
  return { wrong: wrong ?? countsOf(history, written) ?? outOfOrder(history) ?? realTime(history), session }
}

/** Nothing is in the journal more often than it was sent and not denied. */
function countsOf({ operations }: History, written: Map<string, number>): string | null {
  const possible = new Map<string, number>()
  for (const { command, outcome } of operations) {
    const bytes = Buffer.from(encodeCommand(command)).toString('base64')
    possible.set(bytes, (possible.get(bytes) ?? 0) + (outcome === 'never' ? 0 : 1))
  }
  for (const [bytes, count] of written) {
    if (count <= (possible.get(bytes) ?? 0)) continue
    return `written ${count} times, sent and not denied ${possible.get(bytes) ?? 0} times: ${asJson(decodeCommands(Buffer.from(bytes, 'base64'))[0])}`
  }
  return null
}

/** Commands that were under way together on one socket are executed in the order in which they were sent. */
function outOfOrder({ operations }: History): string | null {
  const last = new Map<number, number>()
  for (const { socket, outcome, seq } of operations) {
    if (socket === null || outcome !== 'answered') continue
    const before = last.get(socket) ?? 0
    if (seq <= before) return `on socket ${socket} position ${seq} was answered to what was sent after ${before}`
    last.set(socket, seq)
  }
  return null
}

/** A read that begins after an answer sees that answer. */
function realTime({ operations, looks }: History): string | null {
  const answers = operations.filter(({ outcome }) => outcome === 'answered').sort((a, b) => a.answeredAt! - b.answeredAt!)
  const asked = [
    ...operations
      .filter(({ outcome }) => outcome === 'answered')
      .map(({ sentAt, seq }) => ({ time: sentAt, seq, kind: 'command', least: 1 })),
    ...looks.map(({ time, seq }) => ({ time, seq, kind: 'look', least: 0 })),
  ].sort((a, b) => a.time - b.time)
  let newest = 0
  let next = 0
  for (const { time, seq, kind, least } of asked) {
    for (; next < answers.length && answers[next]!.answeredAt! < time; next++) newest = Math.max(newest, answers[next]!.seq)
    if (seq < newest + least) return `a ${kind} at ${time} saw ${seq}, after ${newest} had been answered`
  }
  return null
}
