import { setTimeout as wait } from 'node:timers/promises'
import { foundryBinary } from '@augury/contracts/foundry'
import { GAS_CEILINGS, type Gas, measureGas } from '@augury/contracts/gas'
import { startChild } from '@augury/testing/child-process'
import { freePort } from '@augury/testing/free-port'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { startThrowawayServer } from '@augury/testing/throwaway-server'
import { median } from '../interleave.ts'
import type { Row } from '../row.ts'
import { atOnce, depositAndSee } from '../service/deposit-times.ts'
import { MoneyScene } from '../service/money-scene.ts'

/** Milliseconds after which a settler that has nothing to do rests. */
const REST_MS = 6_000
/** Milliseconds from the block of a deposit until it can be traded. */
const TRADEABLE_MS = 1_000
/** Deposits of one block, and the seconds for all of them. */
const [IN_ONE_BLOCK, BLOCK_S] = [1_000, 10]
const NO_ANVIL = { why: 'npm has no Anvil for this platform' }

/** Works on a scene of its own: a real exchange, PostgreSQL, Anvil and two settlers, one of which waits. */
async function onMoney<Result>(work: (scene: MoneyScene) => Promise<Result>): Promise<Result> {
  const postgres = await startThrowawayServer({ durable: true })
  try {
    const scene = await MoneyScene.open(postgres)
    try {
      // What the members deposited at the start is no part of it.
      while ((await scene.ledger()).credits.length < (await scene.vault()).deposits) await wait(100)
      return await work(scene)
    } finally {
      await scene.close()
    }
  } finally {
    await postgres.remove()
  }
}

/** From the confirmed block of a deposit to the balance that can be traded, of a settler that rests. */
export const tradeable: Row = {
  id: '28',
  work: 'deposit → tradeable, after confirmation',
  target: '≤ 1 s each, into the vault and to the deposit address',
  async measure({ quick }) {
    if (foundryBinary('anvil') === null) return NO_ANVIL
    return onMoney(async (scene) => {
      const [direct, swept]: [number[], number[]] = [[], []]
      for (let n = 0; n < (quick ? 3 : 20); n++) {
        await wait(REST_MS)
        direct.push(await depositAndSee(scene, () => scene.deposit(scene.next(), 2_000_000)))
        await wait(REST_MS)
        swept.push(await depositAndSee(scene, () => scene.transfer(scene.next(), 2_000_000)))
      }
      const figure = (name: string, value: number) => ({ name, value, unit: 'ms' })
      return {
        figures: [
          figure('transfer to the address, longest', Math.max(...swept)),
          figure('median', median(swept)),
          figure('into the vault, longest', Math.max(...direct)),
          figure('median', median(direct)),
        ],
        met: Math.max(...swept, ...direct) <= TRADEABLE_MS,
        note: `${swept.length} of each; no blocks on top; a sandbox's settler looks at the chain each 500 ms`,
      }
    })
  },
}

/** Deposits of one block, until the exchange has credited all of them. */
export const depositBlock: Row = {
  id: '29',
  work: '1 000 deposits of one block, credited',
  target: `≤ ${BLOCK_S} s`,
  async measure() {
    if (foundryBinary('anvil') === null) return NO_ANVIL
    const { seconds, wrong } = await onMoney((scene) => atOnce(scene, IN_ONE_BLOCK))
    if (wrong.length > 0) throw new Error(wrong.join('; '))
    return { figures: [{ name: 'all credited, each once', value: seconds, unit: 's' }], met: seconds <= BLOCK_S }
  },
}

/** Gas of receipts, as `packages/contracts/gas.txt` keeps it. */
export const gasOfMoney: Row = {
  id: '30',
  work: 'gas: deposit, payment of 100, root, exit among 1 000 000 accounts',
  target: `≤ ${Object.values(GAS_CEILINGS)
    .map((gas) => gas / 1000)
    .join(', ')} k`,
  async measure() {
    const anvil = foundryBinary('anvil')
    if (anvil === null) return NO_ANVIL
    const port = await freePort()
    const flags = ['--port', String(port), '--hardfork', 'cancun', '--prune-history', '--silent']
    const node = startChild(anvil, flags, { env: { HOME: temporaryFolder('anvil') } })
    try {
      const gas = await measureGas(`http://127.0.0.1:${port}`)
      const ceilings = Object.entries(GAS_CEILINGS) as [keyof Gas, number][]
      return {
        figures: ceilings.map(([name]) => ({ name, value: Math.round(gas[name]), unit: 'gas' })),
        met: ceilings.every(([name, ceiling]) => gas[name] <= ceiling),
      }
    } finally {
      await node.stop()
    }
  },
}
