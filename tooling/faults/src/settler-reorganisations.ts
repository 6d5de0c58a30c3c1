import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { MoneyScene } from '@augury/bench/service/money-scene'
import { query } from '@augury/testing/connection'
import type { Fault } from './faults.ts'
import { differences, sums, withMoney, workFor } from './settler-money.ts'

/** Blocks on top of a deposit or a payment before the settler believes it, where re-organisations stay within them. */
const CONFIRMATIONS = 6
/** Milliseconds between two blocks there: without blocks nothing is confirmed. */
const BLOCK_MS = 150
/** The deepest re-organisation, where they are of any depth. */
const DEEPEST = 60
/** Re-organisations between two comparisons of ledger and chain. */
const COMPARE_EVERY = 8

/** What re-organisations undid. */
interface Undone {
  deposits: number
  payments: number
  roots: number
  deepest: number
}

/** Replaces the newest blocks by empty ones, whose transactions are gone, and notes what that undid. */
async function reorganise(scene: MoneyScene, depth: number, undone: Undone): Promise<void> {
  const before = await scene.vault()
  await scene.ask('anvil_reorg', depth, [])
  const after = await scene.vault()
  undone.deposits += Math.max(0, before.deposits - after.deposits)
  undone.payments += Math.max(0, before.payments - after.payments)
  undone.roots += Math.max(0, before.lastPosted - after.lastPosted)
  undone.deepest = Math.max(undone.deepest, depth)
}

/** Moves money and replaces blocks at random moments; `depthOf` chooses how many of those after `floor`. */
async function reorganisations(
  scene: MoneyScene,
  count: number,
  depthOf: (blocks: number) => number,
  isHealed: boolean,
): Promise<{ facts: string; wrong: string[] }> {
  const wrong = await differences(scene, isHealed)
  const undone: Undone = { deposits: 0, payments: 0, roots: 0, deepest: 0 }
  const floor = (await scene.head()).number
  let done = 0
  for (; done < count && wrong.length === 0; done++) {
    await workFor(scene, (['credit', 'sweep', 'pay', 'any'] as const)[randomInt(4)]!)
    await wait(randomInt(1_200))
    const blocks = (await scene.head()).number - floor
    if (blocks > 0) await reorganise(scene, depthOf(blocks), undone)
    if (done % COMPARE_EVERY === COMPARE_EVERY - 1) wrong.push(...(await differences(scene, isHealed)))
  }
  if (wrong.length === 0) wrong.push(...(await differences(scene, isHealed)))
  const { deposits, payments, roots, deepest } = undone
  const facts = `${done} re-organisations up to ${deepest} blocks deep; they undid ${deposits} deposits, ${payments} payments, ${roots} roots; ${await sums(scene)}`
  return { facts, wrong }
}

const within: Fault = {
  name: 'settler: re-organisations up to its confirmations',
  must: 'nothing is credited or paid twice or never, and nothing that was credited is lost; ledger and chain agree to the millionth',
  run: (ground, scale) =>
    withMoney(
      ground,
      async (scene) => {
        const mining = setInterval(() => void scene.ask('anvil_mine', '0x1').catch(() => {}), BLOCK_MS)
        try {
          const depthOf = (blocks: number) => 1 + randomInt(Math.min(CONFIRMATIONS, blocks))
          const { facts, wrong } = await reorganisations(scene, scale.reorganisations, depthOf, false)
          const lost = await query(scene.databaseUrl, `select from chain.cursor where name = 'lost'`)
          return { facts, wrong: lost.length === 0 ? wrong : [...wrong, 'the settler took credited deposits for lost'] }
        } finally {
          clearInterval(mining)
        }
      },
      { CONFIRMATIONS: String(CONFIRMATIONS) },
    ),
}

const anyDepth: Fault = {
  name: 'settler: re-organisations of any depth',
  must: 'a sandbox brings what the chain lost back: what was credited is in the vault, what was withdrawn is paid once; ledger and chain agree to the millionth',
  run: (ground, scale) =>
    withMoney(ground, (scene) => reorganisations(scene, scale.reorganisations, (blocks) => 1 + randomInt(Math.min(DEEPEST, blocks)), true)),
}

/** Re-organisations under the settler. */
export const settlerReorganisations: readonly Fault[] = [within, anyDepth]
