import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { foundryBinary } from '@augury/contracts/foundry'
import { abi as factoryAbi } from '@augury/contracts/generated/depositor-factory'
import { abi as timelockAbi } from '@augury/contracts/generated/timelock-controller'
import { abi as vaultAbi } from '@augury/contracts/generated/vault'
import { encodeFunctionData, getAbiItem, type Hex, parseTransaction, toFunctionSelector, zeroHash } from 'viem'
import type { Asked } from './between.ts'
import type { Fault, Seen } from './faults.ts'
import { addresses, GUARDIAN, MoneyScene, OPERATOR, onVault, type Pass, VAULT } from './money-scene.ts'
import type { Scene } from './scene.ts'

/** Requests of a settler after which, or before which, it dies. */
const POINTS = ['credit', 'sweep', 'post', 'pay', 'settle'] as const
type Point = (typeof POINTS)[number]
const SIDES = ['before', 'after'] as const
/** Kills at a random moment, for each round of the points. */
const ANY = 2
/** Milliseconds after which a request was not made, and after which money is lost rather than late. */
const [UNREACHED_MS, LATE_MS] = [20_000, 120_000]
/** Kills between two comparisons of ledger and chain. */
const COMPARE_EVERY = 24

const SELECTORS = new Map<string, Point>([
  [toFunctionSelector(getAbiItem({ abi: vaultAbi, name: 'pay' })), 'pay'],
  [toFunctionSelector(getAbiItem({ abi: vaultAbi, name: 'post' })), 'post'],
  [toFunctionSelector(getAbiItem({ abi: factoryAbi, name: 'sweep' })), 'sweep'],
])

/** Which point a request is; null for all others. */
function pointOf({ method, path, body }: Asked): Point | null {
  if (method === 'POST' && path === '/operator/deposits/batch') return 'credit'
  if (method === 'POST' && /^\/operator\/withdrawals\/[^/]+\/settle$/.test(path)) return 'settle'
  if (!body.includes('eth_sendRawTransaction')) return null
  const { data } = parseTransaction(JSON.parse(body).params[0])
  return SELECTORS.get(data?.slice(0, 10) ?? '') ?? null
}

/** Kills the active settler before or after its next request of a kind. Resolves with whether there was one. */
async function killAt(scene: MoneyScene, point: Point, side: (typeof SIDES)[number]): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  let isArmed = true
  const pass: Pass = async (asked, forward) => {
    if (!isArmed || pointOf(asked) !== point) return forward()
    isArmed = false
    if (side === 'after') await forward()
    resolve(await scene.killActive())
    return null
  }
  scene.passes = { node: pass, exchange: pass }
  const found = await Promise.race([promise, wait(UNREACHED_MS, false)])
  isArmed = false
  return found
}

/** Kills the settler that is active at a random moment. */
async function killSoon(scene: MoneyScene): Promise<boolean> {
  await wait(randomInt(1500))
  for (const until = Date.now() + UNREACHED_MS; Date.now() < until; await wait(20)) if (await scene.killActive()) return true
  return false
}

/** Work that brings a settler to a point. */
async function workFor(scene: MoneyScene, point: Point | 'any'): Promise<void> {
  const member = scene.next()
  if (point === 'credit' || point === 'any') await scene.deposit(member, 2_000_000)
  if (point === 'sweep' || point === 'any') await scene.transfer(member, 1_500_000)
  if (point !== 'credit' && point !== 'sweep') await scene.withdraw(scene.next(), 1_000_001)
}

/** Waits until nothing is under way, then compares ledger and chain to the millionth. Returns what differs. */
async function differences(scene: MoneyScene): Promise<string[]> {
  let wrong: string[] = []
  for (const until = Date.now() + LATE_MS; Date.now() < until; await wait(250)) {
    wrong = await compared(scene).catch((error) => [String(error)])
    if (wrong.length === 0) return []
  }
  return [...wrong, `the settler says ${JSON.stringify(await scene.status())}`]
}

async function compared(scene: MoneyScene): Promise<string[]> {
  const [{ credits, steps }, vault] = await Promise.all([scene.ledger(), scene.vault()])
  const sum = (rows: readonly { amount: string }[]) => rows.reduce((total, { amount }) => total + Number(amount), 0)
  const [asked, settled] = ['withdrawing', 'settled'].map((status) => steps.filter((step) => step.status === status))
  const destinations = [...scene.asked.keys()]
  const [held, ...paid] = await scene.balances([VAULT, ...destinations])
  const wrong: string[] = []
  const same = (what: string, seen: number, due: number) => seen === due || wrong.push(`${what}: ${seen}, not ${due}`)
  same('credits', credits.length, vault.deposits)
  same('references of credits', new Set(credits.map(({ ref }) => ref)).size, credits.length)
  same('sum of credits', sum(credits), vault.depositTotal)
  same('withdrawals settled', settled!.length, asked!.length)
  same('references settled', new Set(settled!.map(({ ref }) => ref)).size, settled!.length)
  same('sum of payments', vault.paymentTotal, sum(settled!))
  same('the vault holds', held!, vault.depositTotal - vault.paymentTotal)
  for (const [n, to] of destinations.entries()) same(`paid to ${to}`, paid[n]!, scene.asked.get(to)!)
  return wrong
}

const kills: Fault = {
  name: 'settler: kill -9 at each of its points, beside one that waits',
  must: 'nothing is credited or paid twice or never; ledger and chain agree to the millionth',
  run: (ground, scale) =>
    withMoney(ground, async (scene) => {
      const wrong = await differences(scene)
      const points = [...POINTS.flatMap((point) => SIDES.map((side) => [point, side] as const)), ...Array(ANY).fill(['any', 'after'])]
      const seen = new Map<string, number>()
      for (let n = 0; n < scale.settlerKills && wrong.length === 0; n++) {
        const [point, side] = points[n % points.length] as [Point | 'any', (typeof SIDES)[number]]
        const died = point === 'any' ? killSoon(scene) : killAt(scene, point, side)
        await workFor(scene, point)
        const name = (await died) ? (point === 'any' ? 'at any moment' : `${side} ${point}`) : 'not reached'
        seen.set(name, (seen.get(name) ?? 0) + 1)
        if (n % COMPARE_EVERY === COMPARE_EVERY - 1) wrong.push(...(await differences(scene)))
      }
      if (wrong.length === 0) wrong.push(...(await differences(scene)))
      const counts = [...seen].map(([name, count]) => `${name} ${count}`).join(', ')
      return { facts: `kills: ${counts}; ${await sums(scene)}`, wrong }
    }),
}

const sums = async (scene: MoneyScene) => {
  const { deposits, depositTotal, paymentTotal } = await scene.vault()
  return `${deposits} deposits, ${scene.asked.size} withdrawals, ${depositTotal / 1e6} USDC in, ${paymentTotal / 1e6} out`
}

/** Runs on a money scene of its own; says so where npm has no Anvil. */
export async function withMoney(ground: Scene, work: (scene: MoneyScene) => Promise<Seen>): Promise<Seen> {
  if (foundryBinary('anvil') === null) return { facts: 'not run: npm has no Anvil for this platform', wrong: [] }
  const scene = await MoneyScene.open(ground.postgres)
  try {
    return await work(scene)
  } finally {
    await scene.close()
  }
}

/** Answers of a node that fails: it never answers, is busy, or lies about what was deposited. */
const answers = {
  silence: async () => null,
  busy: async () => ({ status: 429, body: '' }),
  lies: async ({ body }, forward) => {
    const answer = await forward()
    // Reports a deposit of two dollars as one of a million.
    return body.includes('eth_getLogs')
      ? { ...answer, body: answer.body.replace(/0x0{58}1e8480/g, `0x${'e8d4a51000'.padStart(64, '0')}`) }
      : answer
  },
} satisfies Record<string, Pass>

const withNode = (pass: Pass) => async (scene: MoneyScene) => {
  const before = scene.passes
  scene.passes = { ...before, node: pass }
  await workFor(scene, 'any')
  await wait(8_000)
  scene.passes = before
}

/** What can happen to the chain or to the hot wallet; each ends what it began. */
const TROUBLES: Record<string, (scene: MoneyScene) => Promise<void>> = {
  'RPC silent': withNode(answers.silence),
  'RPC busy (429)': withNode(answers.busy),
  'RPC lies about deposits': withNode(answers.lies),
  async 're-organisation'(scene) {
    // What a credited deposit stands on stays: a chain that undoes more of it halts the settler, by intent.
    await scene.ask('anvil_mine', '0x4')
    const floor = await scene.head()
    await workFor(scene, 'pay')
    await wait(randomInt(3_000))
    const depth = (await scene.head()).number - floor.number
    if (depth > 0) await scene.ask('anvil_reorg', 1 + randomInt(depth), [])
  },
  async 'gas price × 10'(scene) {
    await scene.ask('anvil_setNextBlockBaseFeePerGas', `0x${(10n * (await scene.head()).baseFee).toString(16)}`)
    await workFor(scene, 'any')
  },
  async 'empty hot wallet'(scene) {
    await scene.ask('anvil_setBalance', OPERATOR.address, '0x0')
    await workFor(scene, 'any')
    await wait(2_000)
    await scene.ask('anvil_setBalance', OPERATOR.address, `0x${(10n ** 21n).toString(16)}`)
  },
  async 'paused vault'(scene) {
    await scene.send(GUARDIAN, VAULT, onVault('pause'))
    await workFor(scene, 'any')
    await wait(1_000)
    const operation = (functionName: string, ...more: unknown[]) =>
      encodeFunctionData({ abi: timelockAbi, functionName, args: [VAULT, 0n, onVault('unpause'), zeroHash, salt, ...more] } as never)
    const salt = `0x${randomInt(2 ** 32)
      .toString(16)
      .padStart(64, '0')}` as Hex
    await scene.send(GUARDIAN, addresses.timelock, operation('schedule', 60n))
    await scene.ask('evm_increaseTime', 61)
    await scene.ask('anvil_mine', '0x1')
    await scene.send(GUARDIAN, addresses.timelock, operation('execute'))
  },
  async 'Anvil killed and brought back'(scene) {
    await scene.killAnvil()
    await scene.withdraw(scene.next(), 1_000_001)
    await wait(2_000)
    await scene.startAnvil()
    await workFor(scene, 'any')
  },
}

const troubles: Fault = {
  name: 'settler: a chain that fails in every way, two settlers at once',
  must: 'nothing is credited or paid twice or never; ledger and chain agree to the millionth after each',
  run: (ground, scale) =>
    withMoney(ground, async (scene) => {
      const wrong = await differences(scene)
      const done: string[] = []
      for (const [name, begin] of Object.entries(TROUBLES)) {
        const times = name === 're-organisation' ? scale.reorganisations : scale.chainTroubles
        for (let n = 0; n < times && wrong.length === 0; n++) {
          await begin(scene)
          wrong.push(...(await differences(scene)).map((sentence) => `${name}: ${sentence}`))
        }
        done.push(`${name} ${times}`)
      }
      return { facts: `${done.join(', ')}; ${await sums(scene)}`, wrong }
    }),
}

/** What happens to the settler, and to its chain. */
export const settlerFaults: readonly Fault[] = [kills, troubles]
