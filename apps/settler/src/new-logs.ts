import { isCanonical } from '@augury/chain/confirmed'
import type { Log, Pin } from '@augury/chain/ports'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Hex } from 'viem'
import { cursorOf, setCursor } from './stores.ts'
import type { World } from './world.ts'

/** Blocks in one request for logs, and requests in one step. */
const WINDOW = 2000
const WINDOWS = 10
/** Blocks that are looked at again after a re-organisation, and by a settler that knows of none. */
const BACK = 20_000

/** Logs of a run of blocks. */
interface NewLogs {
  logs: Log[]
  /** The first block whose logs are read again because a re-organisation replaced the ones seen before; null without one. */
  again: number | null
  /** Keeps what they say together with how far they were read. */
  keep(write: (em: EntityManager) => Promise<unknown>): Promise<void>
}

/** Reads the vault's logs of one event in confirmed blocks, each once; after a re-organisation again. `name` is where it is kept how far it came. */
export async function* newLogs({ nodes, vault, fenced, platform }: World, pin: Pin, name: string, topic: Hex): AsyncGenerator<NewLogs> {
  const node = nodes.any
  const seen = await cursorOf<Pin>(platform.em(), name)
  const isSeen = seen !== null && (await isCanonical(node, seen))
  let from = isSeen ? seen.number + 1 : Math.max(vault.block, Math.min(seen?.number ?? pin.number, pin.number) - BACK)
  let again = isSeen ? null : from
  for (let windows = 0; from <= pin.number && windows < WINDOWS; windows++) {
    const to = Math.min(from + WINDOW - 1, pin.number)
    const logs = await node.logs({ address: vault.address, topics: [topic], from, to })
    const last = to === pin.number ? pin : await node.block(to)
    if (!last) return
    const keep: NewLogs['keep'] = (write) =>
      fenced(async (em) => {
        await write(em)
        await setCursor(em, name, { number: last.number, hash: last.hash })
      })
    yield { logs, again, keep }
    again = null
    from = to + 1
  }
}
