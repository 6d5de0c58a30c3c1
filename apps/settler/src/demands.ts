import type { Confirmed } from '@augury/chain/confirmed'
import { enqueue } from '@augury/chain/outbox'
import { refuteData } from '@augury/chain/proofs'
import { treeOfLeaves } from '@augury/chain/root-proofs'
import { type PostedRoot, readVault, refusalOf, vaultState, whole } from '@augury/chain/vault'
import { abi } from '@augury/contracts/generated/vault'
import { sha256 } from '@augury/signing/sha256'
import { pathOf, RECORD_BYTES } from '@augury/signing/state-tree'
import { decodeEventLog, encodeEventTopics, encodeFunctionData, getAbiItem, type Hex } from 'viem'
import { newLogs } from './new-logs.ts'
import { rememberOwn } from './own-withdrawals.ts'
import { cursorOf, setCursor } from './stores.ts'
import type { World } from './world.ts'

// Members' demands on the vault. One that is not answered within three days lets anybody freeze it.

/** A demand that the vault shows as open. Amounts are millionths, times are Unix seconds. */
interface Demand {
  account: Hex
  amount: number
  at: number
  holder: Hex
}

/** What a round found of demands. */
export interface DemandReport {
  open: number
  /** Whether one waits for a root that is posted after it. */
  needsRoot: boolean
  /** Those that the settler cannot answer by itself, and why. */
  unanswered: { account: Hex; why: string }[]
}

const demanded = [getAbiItem({ abi, name: 'Demanded' })] as const
const [DEMANDED] = encodeEventTopics({ abi: demanded })
/** Name under which the database keeps accounts whose demands may be open. */
const ACCOUNTS = 'demands'
const GAS = 1_500_000

/**
 * Answers the open demands of a vault: refutes one above what the last root shows, pays any other by a withdrawal to the account itself, and closes
 * it when that is paid. One that is younger than the last root waits for the next.
 */
export async function answerDemands(world: World, at: Confirmed): Promise<DemandReport> {
  const open = await openDemands(world, at)
  const report: DemandReport = { open: open.length, needsRoot: false, unanswered: [] }
  if (open.length === 0) return report
  const { root, frozen } = await vaultState(world.nodes.any, world.vault, at.pin)
  if (frozen) return report
  const waiting = new Set((await world.outbox.intents(Number.MAX_SAFE_INTEGER)).map(({ purpose }) => 'name' in purpose && purpose.name))
  const ripe = open.filter((demand) => root && root.postedAt > demand.at)
  report.needsRoot = ripe.length < open.length
  const tree = ripe.length > 0 && root ? await usdcTree(world, root) : null
  for (const demand of ripe) {
    if (!tree || waiting.has(nameOf(world, demand))) continue
    const data = refuteData(sha256, demand, tree)
    const why = data ? await send(world, at, demand, data) : await payOrServe(world, at, demand)
    if (why !== null) report.unanswered.push({ account: demand.account, why })
  }
  return report
}

const nameOf = ({ vault: { chainId, address } }: Pick<World, 'vault'>, { account, at }: Demand): string =>
  `demand:${chainId}:${address}:${account}:${at}`

/** Demands that the confirmed block shows as open. Accounts of new ones are kept until theirs are closed. */
async function openDemands(world: World, { pin }: Confirmed): Promise<Demand[]> {
  const { platform, nodes, vault, fenced } = world
  for await (const { logs, keep } of newLogs(world, pin, 'demands_seen', DEMANDED as Hex)) {
    const fresh = logs.map(({ topics, data }) => decodeEventLog({ abi: demanded, topics: topics as [Hex, ...Hex[]], data }).args.account)
    await keep(async (em) => {
      const known = (await cursorOf<Hex[]>(em, ACCOUNTS)) ?? []
      if (fresh.length > 0) await setCursor(em, ACCOUNTS, [...new Set([...known, ...fresh.map((account) => account.toLowerCase())])])
    })
  }
  const accounts = (await cursorOf<Hex[]>(platform.em(), ACCOUNTS)) ?? []
  if (accounts.length === 0) return []
  const asked = accounts.map((account) => ['demandOf', account] as const)
  const demands = (await readVault(nodes.any, vault, asked, pin)).map((answer, index): Demand => {
    const [amount, at, , holder] = answer as readonly unknown[]
    return { account: accounts[index]!, amount: whole(amount), at: whole(at), holder: holder as Hex }
  })
  const open = demands.filter(({ amount }) => amount > 0)
  if (open.length < accounts.length)
    await fenced((em) =>
      setCursor(
        em,
        ACCOUNTS,
        open.map(({ account }) => account),
      ),
    )
  return open
}

/** The USDC leaves under the vault's root; null where the exchange's newest root is another, which is then posted first, or no account has USDC. */
async function usdcTree({ source, leavesOf }: World, { root }: PostedRoot) {
  const newest = await source.latest()
  if (!newest || `0x${newest.root}` !== root || newest.assets === 0) return null
  const tree = treeOfLeaves(sha256, await leavesOf(newest.n))
  const place = tree.assets.findIndex(({ asset }) => asset.every((byte) => byte === 0))
  if (place < 0) return null
  const { records, holders } = tree.assets[place]!
  return { leaves: records.subarray(0, holders * RECORD_BYTES), place, top: pathOf(sha256, tree.records, tree.assets.length, place) }
}

/** Closes a demand that was paid, or sets its amount aside. Returns why neither is possible. */
async function payOrServe(world: World, at: Confirmed, demand: Demand): Promise<string | null> {
  const { accounts, fenced } = world
  const data = encodeFunctionData({ abi, functionName: 'serve', args: [demand.account] })
  if ((await send(world, at, demand, data)) === null) return null
  const name = nameOf(world, demand)
  const refusal = await accounts.setAside(demand.account, name, demand.amount)
  if (refusal !== null) return `the exchange refuses to set ${demand.amount} aside (${refusal})`
  await fenced((em) => rememberOwn(em, accounts.logged, { name, account: demand.account }))
  return null
}

/** Queues an answer, unless the vault would refuse it: then returns why. */
async function send({ nodes, vault, signer, outbox }: World, { head }: Confirmed, demand: Demand, data: Hex): Promise<string | null> {
  const refusal = await refusalOf(nodes.any, vault, signer.address, data, head)
  if (refusal !== null) return `the vault refuses the answer: ${refusal}`
  await enqueue(outbox, { purpose: { kind: 'other', name: nameOf({ vault }, demand) }, to: vault.address, data, gas: GAS })
  return null
}
