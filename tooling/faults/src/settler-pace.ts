import { setTimeout as wait } from 'node:timers/promises'
import { atOnce, depositAndSee } from '@augury/bench/service/deposit-times'
import type { Fault } from './faults.ts'
import { withMoney } from './settler-money.ts'

/** Milliseconds after which a settler that has nothing to do rests. */
const REST_MS = 6_000
/** Deposits of one block, as `real-money.md` asks for. */
const IN_ONE_BLOCK = 1_000

/** Times of the settler: no fault, but measured on the same ground. */
export const settlerPace: Fault = {
  name: 'settler: how long deposits take',
  must: 'each is credited once; a deposit of a resting settler within a second or two, 1 000 of one block within 10 s',
  run: (ground, scale) =>
    withMoney(ground, async (scene) => {
      const direct: number[] = []
      const swept: number[] = []
      for (let n = 0; n < scale.depositTimes; n++) {
        await wait(REST_MS)
        direct.push(await depositAndSee(scene, () => scene.deposit(scene.next(), 2_000_000)))
        await wait(REST_MS)
        swept.push(await depositAndSee(scene, () => scene.transfer(scene.next(), 2_000_000)))
      }
      const { seconds, wrong } = await atOnce(scene, IN_ONE_BLOCK)
      const said = (all: number[]) => {
        const sorted = all.toSorted((a, b) => a - b)
        return `${sorted[Math.floor(sorted.length / 2)]} ms (median), ${sorted.at(-1)} ms (longest)`
      }
      const facts = [
        `tradeable after a deposit into the vault: ${said(direct)} of ${direct.length}`,
        `after a transfer to a deposit address: ${said(swept)} of ${swept.length}`,
        `${IN_ONE_BLOCK} deposits of one block credited in ${seconds.toFixed(1)} s`,
      ]
      return { facts: facts.join('; '), wrong }
    }),
}
