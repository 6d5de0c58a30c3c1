import { encodeCommand } from '@augury/engine/codec'
import type { Command } from '@augury/engine/command'
import { encodeAnnex } from '@augury/venue/base/annex'
import { seal } from '@augury/venue/record/log/journal'
import { PostgresJournal } from '@augury/venue/record/log/postgres-journal'
import { Replica } from '@augury/venue/record/log/replica'
import { account, commandOf, hex, registration } from '../engine-tape.ts'
import { type Mix, makeTape, STRIDE } from '../tape.ts'

const STREAM = 'main'
const ROW = 500
const ACCOUNTS = 1000
const RICH = 1_000_000_000_000
const CONDITION = hex('c0', 32)
const accounts = Array.from({ length: ACCOUNTS }, (_, n) => account(n))
const annex = encodeAnnex({ owner: '00000000-0000-4000-8000-000000000000', maker: null, clientOrderId: null, content: new Uint8Array(8) })

/** How the rows of a journal lie in time, and who looks at the state in between. */
export interface Filling {
  /** Commands a second of the log's own time; every row a millisecond after the one before unless told. */
  perSecond?: number
  /** After so many commands everybody cancels everything; then `look` sees the state: nothing that follows names an order from before. */
  pause?: { after: number; look(replica: Replica): Promise<void> }
}

/** Writes a journal of so many commands, as a writer would have until now, and answers where it ends and what it comes to. */
export async function fillJournal(
  databaseUrl: string,
  mix: Mix,
  commands: number,
  { perSecond, pause }: Filling = {},
): Promise<{ seq: number; fills: number }> {
  const journal = new PostgresJournal({ databaseUrl, stream: STREAM })
  const { timeline, epoch } = await journal.acquire()
  const replica = new Replica(STREAM)
  const step = perSecond === undefined ? 1 : (ROW * 1000) / perSecond
  const begun = Date.now() - (perSecond === undefined ? 3_600_000 : (Math.ceil(commands / ROW) + 1) * step)
  const append = async (row: Command[]) => {
    const { seq, at, checksum } = replica.head
    const sealed = seal(STREAM, {
      timeline,
      epoch,
      firstSeq: seq + 1,
      lastSeq: seq + row.length,
      at: Math.max(begun, at + step),
      ...replica.state(),
      commands: Buffer.concat(row.map(encodeCommand)),
      previousChecksum: checksum,
    })
    await journal.append(sealed)
    replica.replay(sealed)
  }
  /** Writes a tape of its own, whose orders are numbered from `first` on. */
  const play = async (first: number, count: number): Promise<number> => {
    const { tape, result } = makeTape(mix, count)
    for (let n = 0; n < count; n += ROW) {
      const row: Command[] = []
      for (let order = n; order < Math.min(n + ROW, count); order++)
        row.push(toCommand(tape.subarray(order * STRIDE, (order + 1) * STRIDE), first))
      await append(row)
    }
    return result.fills
  }
  await append(opening())
  let fills = await play(0, pause?.after ?? commands)
  if (pause) {
    await append(accounts.map((account) => ({ type: 'cancel_all', account, condition: null, outcome: null, reason: 'cancel_all' })))
    await pause.look(replica)
    fills += await play(pause.after, commands - pause.after)
  }
  await journal.close()
  return { seq: replica.head.seq, fills }
}

const opening = (): Command[] => [
  registration(CONDITION),
  ...accounts.map((account, n): Command => ({ type: 'deposit', account, amount: RICH, ref: hex(`d${n}`, 32) })),
]

function toCommand(operation: Int32Array, first: number): Command {
  const order = operation[4]!
  return commandOf(operation, { account: accounts[order % ACCOUNTS]!, condition: CONDITION, order: first + order, annex })
}
