import { setTimeout as wait } from 'node:timers/promises'
import { MoneyScene, VAULT } from '@augury/bench/service/money-scene'
import { foundryBinary } from '@augury/contracts/foundry'
import type { Seen } from './faults.ts'
import type { Scene } from './scene.ts'

/** Requests of a settler after which, or before which, it dies. */
export const POINTS = ['credit', 'sweep', 'post', 'pay', 'settle'] as const
export type Point = (typeof POINTS)[number]
/** Milliseconds after which money is lost rather than late. */
const LATE_MS = 120_000

/** Work that brings a settler to a point. */
export async function workFor(scene: MoneyScene, point: Point | 'any'): Promise<void> {
  const member = scene.next()
  if (point === 'credit' || point === 'any') await scene.deposit(member, 2_000_000)
  if (point === 'sweep' || point === 'any') await scene.transfer(member, 1_500_000)
  if (point !== 'credit' && point !== 'sweep') await scene.withdraw(scene.next(), 1_000_001)
}

/**
 * Waits until nothing is under way, then compares ledger and chain to the millionth. Returns what differs. With `isHealed` the chain may have lost
 * credited deposits: the settler of a sandbox brings their money into the vault by deposits of its own, as many as it likes.
 */
export async function differences(scene: MoneyScene, isHealed = false): Promise<string[]> {
  let wrong: string[] = []
  for (const until = Date.now() + LATE_MS; Date.now() < until; await wait(250)) {
    wrong = await compared(scene, isHealed).catch((error) => [String(error)])
    if (wrong.length === 0) return []
  }
  return [...wrong, `the settler says ${JSON.stringify(await scene.status())}`]
}

async function compared(scene: MoneyScene, isHealed: boolean): Promise<string[]> {
  const [{ credits, steps }, vault] = await Promise.all([scene.ledger(), scene.vault()])
  const sum = (rows: readonly { amount: string }[]) => rows.reduce((total, { amount }) => total + Number(amount), 0)
  const [asked, settled] = ['withdrawing', 'settled'].map((status) => steps.filter((step) => step.status === status))
  const destinations = [...scene.asked.keys()]
  const [held, ...paid] = await scene.balances([VAULT, ...destinations])
  const wrong: string[] = []
  const same = (what: string, seen: number, due: number) => seen === due || wrong.push(`${what}: ${seen}, not ${due}`)
  if (!isHealed) same('credits', credits.length, vault.deposits)
  same('references of credits', new Set(credits.map(({ ref }) => ref)).size, credits.length)
  same('sum of credits', sum(credits), vault.depositTotal)
  same('withdrawals settled', settled!.length, asked!.length)
  same('references settled', new Set(settled!.map(({ ref }) => ref)).size, settled!.length)
  same('sum of payments', vault.paymentTotal, sum(settled!))
  same('the vault holds', held!, vault.depositTotal - vault.paymentTotal)
  for (const [n, to] of destinations.entries()) same(`paid to ${to}`, paid[n]!, scene.asked.get(to)!)
  return wrong
}

export const sums = async (scene: MoneyScene) => {
  const { deposits, depositTotal, paymentTotal } = await scene.vault()
  return `${deposits} deposits, ${scene.asked.size} withdrawals, ${depositTotal / 1e6} USDC in, ${paymentTotal / 1e6} out`
}

/** Runs on a money scene of its own, whose settlers have these settings; says so where npm has no Anvil. */
export async function withMoney(
  ground: Scene,
  work: (scene: MoneyScene) => Promise<Seen>,
  settings: Record<string, string> = {},
): Promise<Seen> {
  if (foundryBinary('anvil') === null) return { facts: 'not run: npm has no Anvil for this platform', wrong: [] }
  const scene = await MoneyScene.open(ground.postgres, settings)
  try {
    return await work(scene)
  } finally {
    await scene.close()
  }
}
