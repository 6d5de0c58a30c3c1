import { setTimeout as wait } from 'node:timers/promises'
import { LAST_CURSOR } from '@augury/wire/limits'
import type { MoneyScene } from './money-scene.ts'

const [SOON_MS, LATE_MS] = [60_000, 300_000]

/** Position of the exchange's log now. */
const position = async ({ manager }: MoneyScene): Promise<number> => {
  let after = 0
  for (;;) {
    const { seq, next_cursor } = await manager.listDeposits({ query: { after, limit: 100 } })
    if (next_cursor === LAST_CURSOR) return seq
    after = seq
  }
}

/** Number of credits after a position, and where the list ends now. */
async function creditsAfter({ manager }: MoneyScene, from: number): Promise<string[]> {
  const refs: string[] = []
  for (let after = from; ; ) {
    const { data, seq, next_cursor } = await manager.listDeposits({ query: { after, limit: 100 } })
    refs.push(...data.map(({ ref }) => ref))
    if (next_cursor === LAST_CURSOR) return refs
    after = seq
  }
}

/** Milliseconds from the block of a deposit until the exchange has credited it: from then on it can be traded. */
export async function depositAndSee(scene: MoneyScene, send: () => Promise<void>): Promise<number> {
  const from = await position(scene)
  await send()
  const begun = performance.now()
  while ((await creditsAfter(scene, from)).length === 0) {
    if (performance.now() - begun > SOON_MS) throw new Error(`not credited within ${SOON_MS} ms`)
    await wait(20)
  }
  return Math.round(performance.now() - begun)
}

/** Has one block with many deposits. Returns the seconds until all are credited, and what is wrong. */
export async function atOnce(scene: MoneyScene, count: number): Promise<{ seconds: number; wrong: string[] }> {
  const from = await position(scene)
  const before = (await scene.vault()).deposits
  await scene.ask('evm_setBlockGasLimit', '0x3b9aca00')
  await scene.ask('evm_setAutomine', false)
  await scene.deposits(count)
  const begun = performance.now()
  await scene.ask('evm_mine')
  await scene.ask('evm_setAutomine', true)
  let refs: string[] = []
  while (refs.length < count && performance.now() - begun < LATE_MS) {
    await wait(100)
    refs = await creditsAfter(scene, from)
  }
  const seconds = (performance.now() - begun) / 1000
  const deposits = (await scene.vault()).deposits - before
  const wrong: string[] = []
  if (deposits !== count) wrong.push(`the block has ${deposits} deposits, not ${count}`)
  if (new Set(refs).size !== count || refs.length !== count)
    wrong.push(`${refs.length} credits, ${new Set(refs).size} different, not ${count}`)
  return { seconds, wrong }
}
