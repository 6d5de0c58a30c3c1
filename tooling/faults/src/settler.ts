import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { addresses, GUARDIAN, type MoneyScene, OPERATOR, onVault, type Pass, VAULT } from '@augury/bench/service/money-scene'
import { abi as factoryAbi } from '@augury/contracts/generated/depositor-factory'
import { abi as timelockAbi } from '@augury/contracts/generated/timelock-controller'
import { abi as vaultAbi } from '@augury/contracts/generated/vault'
import type { Asked } from '@augury/testing/between'
import { encodeFunctionData, getAbiItem, type Hex, parseTransaction, toFunctionSelector, zeroHash } from 'viem'
import type { Fault } from './faults.ts'
import { differences, POINTS, type Point, sums, withMoney, workFor } from './settler-money.ts'

const SIDES = ['before', 'after'] as const
/** Kills at a random moment, for each round of the points. */
const ANY = 2
/** Milliseconds after which a request was not made. */
const UNREACHED_MS = 20_000
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
        for (let n = 0; n < scale.chainTroubles && wrong.length === 0; n++) {
          await begin(scene)
          wrong.push(...(await differences(scene)).map((sentence) => `${name}: ${sentence}`))
        }
        done.push(`${name} ${scale.chainTroubles}`)
      }
      return { facts: `${done.join(', ')}; ${await sums(scene)}`, wrong }
    }),
}

/** What happens to the settler, and to its chain. */
export const settlerFaults: readonly Fault[] = [kills, troubles]
