import { encodeCommand } from '@augury/engine/codec'
import type { Command, Hex } from '@augury/engine/command'
import { encodeAnnex } from '@augury/venue/annex'
import { seal } from '@augury/venue/journal'
import { PostgresJournal } from '@augury/venue/postgres-journal'
import { Replica } from '@augury/venue/replica'
import { type Mix, makeTape, STRIDE } from '../tape.ts'

const STREAM = 'main'
const ROW = 500
const ACCOUNTS = 1000
const RICH = 1_000_000_000_000
const CONDITION = hex('c0', 32)
const annex = encodeAnnex({ owner: '00000000-0000-4000-8000-000000000000', maker: null, clientOrderId: null, content: new Uint8Array(8) })

/** Writes a journal of so many commands, as a writer would have, and answers where it ends and what it comes to. */
export async function fillJournal(databaseUrl: string, mix: Mix, commands: number): Promise<{ seq: number; fills: number }> {
  const journal = new PostgresJournal({ databaseUrl, stream: STREAM })
  const { timeline, epoch } = await journal.acquire()
  const replica = new Replica(STREAM)
  const begun = Date.now() - 3_600_000
  const { tape, result } = makeTape(mix, commands)
  const append = async (row: Command[]) => {
    const { seq, at, checksum } = replica.head
    const sealed = seal(STREAM, {
      ...{ timeline, epoch, firstSeq: seq + 1, lastSeq: seq + row.length, at: Math.max(begun, at + 1) },
      ...{ ...replica.state(), commands: Buffer.concat(row.map(encodeCommand)), previousChecksum: checksum },
    })
    await journal.append(sealed)
    replica.apply(sealed)
  }
  await append(opening())
  for (let n = 0; n < commands; n += ROW) {
    const row: Command[] = []
    for (let order = n; order < Math.min(n + ROW, commands); order++)
      row.push(toCommand(tape.subarray(order * STRIDE, (order + 1) * STRIDE)))
    await append(row)
  }
  await journal.close()
  return { seq: replica.head.seq, fills: result.fills }
}

const opening = (): Command[] => [
  {
    ...{ type: 'register', condition: CONDITION, creator: hex('ee', 20), grid: 10, minLots: 1, minNotional: 0 },
    ...{ feeBps: 400, rebateBps: 2500, affiliateBps: 0, event: null },
  } as Command,
  ...Array.from({ length: ACCOUNTS }, (_, n): Command => ({ type: 'deposit', account: account(n), amount: RICH, ref: hex(`d${n}`, 32) })),
]

/** Bids buy Yes, asks buy No at the complement: every match mints a pair. */
function toCommand([kind, side, price, lots, order]: Int32Array): Command {
  const owner = account(order! % ACCOUNTS)
  const orderId = hex(`f${order}`, 32)
  if (kind === 1) return { type: 'cancel', account: owner, orderId }
  return {
    ...{ type: 'place', orderId, account: owner, condition: CONDITION, outcome: side === 0 ? 0 : 1, side: 'BUY', orderType: 'GTC' },
    ...{ price: side === 0 ? price! * 10 : 10_000 - price! * 10, lots: lots!, budget: 0, expiration: 0, postOnly: false },
    ...{ selfTrade: 'none', deployment: null, annex },
  } as Command
}

const account = (n: number): Hex => hex(`a${n}`, 20)

function hex(digits: string, bytes: number): Hex {
  return `0x${digits.padStart(bytes * 2, '0')}`
}
