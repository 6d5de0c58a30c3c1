import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { enableTrading } from '@augury/client/enable-trading'
import { type PlatformClient, platformClient } from '@augury/client/platform'
import { signIn } from '@augury/client/sign-in'
import { foundryBinary } from '@augury/contracts/foundry'
import { startSettings } from '@augury/settings/env'
import { startChild } from '@augury/testing/child-process'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import type { ExitFile } from '@augury/wire/exit-file'
import type { ChainPlace } from '@augury/wire/platform/deposits'
import { type Hex, type PrivateKeyAccount, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { type Everything, startEverything } from './everything.ts'
import { anvilCommand } from './local-chain.ts'
import { type Chain, chainAt, pauseNode } from './rehearsal/chain.ts'
import { augury, exitFiles, type Left, leaveAs } from './rehearsal/leaving.ts'

// The whole first step of real money on a local chain, with data and ports of its own: a member adds funds in both ways, trades and withdraws,
// the settler is killed after each of these and the chain is away for a minute; then the exchange is gone for good, and everybody leaves.
const root = resolve(import.meta.dirname, '../../..')
const say = (line: string) => void process.stdout.write(`${line}\n`)
const step = (line: string) => say(`${new Date().toISOString().slice(11, 19)}  ${line}`)
const usdc = (amount: string): bigint => parseUnits(amount, 6)
const folder = temporaryFolder('rehearsal')
const PAUSE_S = 60
const PATIENCE_MS = 180_000

/** Waits until something is there. */
async function until<Found>(what: string, look: () => Promise<Found | null | undefined | false>): Promise<Found> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await wait(250)) {
    const found = await look().catch(() => null)
    if (found) return found
  }
  throw new Error(`${what}: not within ${PATIENCE_MS / 1000} s`)
}

interface Walk {
  everything: Everything
  chain: Chain
  place: ChainPlace
  site: PlatformClient
  wallet: PrivateKeyAccount
}

async function killSettler({ programs }: Everything): Promise<void> {
  const pid = programs().find(({ name }) => name === 'settler')?.pid
  if (pid === undefined) throw new Error('no settler runs')
  process.kill(pid, 'SIGKILL')
  step(`settler ${pid} killed with -9; the starter brings another`)
  await until('another settler', async () => programs().some((one) => one.name === 'settler' && one.pid !== pid))
}

/** Waits until the site shows a deposit of an amount as credited. */
const credited = async ({ site }: Walk, amount: bigint) => {
  const begun = performance.now()
  await until(`the credit of ${amount}`, async () =>
    (await site.listDeposits()).find((one) => one.amount === String(amount) && one.state === 'credited'),
  )
  say(`  credited ${((performance.now() - begun) / 1000).toFixed(1)} s after another settler began`)
}

async function addFunds(walk: Walk): Promise<void> {
  const { chain, wallet, site, everything } = walk
  step('add funds from the wallet')
  await chain.fund(wallet, usdc('500'))
  await chain.deposit(wallet, usdc('200'))
  await killSettler(everything)
  await credited(walk, usdc('200'))
  step('add funds by a plain transfer to the deposit address')
  const { address } = await site.getDepositAddress()
  await chain.transfer(wallet, address, usdc('100'))
  await killSettler(everything)
  await credited(walk, usdc('100'))
}

/** Buys at the best offer of the first market that has one. */
async function trade({ site, everything }: Walk): Promise<void> {
  step('trade')
  const events = await site.listEvents({ query: { limit: 20 } })
  for (const market of events.flatMap(({ markets }) => markets).filter(({ is_active }) => is_active)) {
    const [yes] = market.outcomes
    const order = { tokenId: yes!.token_id, side: 'BUY', orderType: 'FAK', amount: '20' } as const
    const bought = await site.placeOrder({ body: order }).catch(() => null)
    if (!bought || Number(bought.takingAmount) === 0) continue
    say(`  bought ${bought.takingAmount} Yes of “${market.question}” for ${bought.makingAmount} USDC`)
    return killSettler(everything)
  }
  throw new Error('no market has offers')
}

async function withdraw(walk: Walk, amount: string, during: (sent: Promise<unknown>) => Promise<void>): Promise<void> {
  const { site, chain } = walk
  const destination = privateKeyToAddress(generatePrivateKey())
  const asked = site.requestWithdrawal({ body: { amount, destination } })
  await during(asked)
  const { id } = await asked
  const settled = await until(`the withdrawal of ${amount}`, async () =>
    (await site.listWithdrawals({ query: { limit: 20, offset: 0 } })).find((one) => one.id === id && one.status === 'settled'),
  )
  await chain.receipt('the payment', settled.tx_hash as Hex)
  const got = await chain.balanceOf(destination)
  if (got !== usdc(amount)) throw new Error(`${destination} has ${got}`)
}

/** What the member keeps, and the folder of a mirror. */
async function keep({ site, place }: Walk, clobUrl: string): Promise<{ file: string; mirror: string; exit: ExitFile }> {
  const [mirror, file] = [join(folder, 'mirror'), join(folder, 'exit-file.json')]
  const exit = await site.getExitFile()
  writeFileSync(file, JSON.stringify(exit))
  const { kept, newest } = await augury<{ kept: number; newest: number }>(root, ['mirror', mirror], { AUGURY_URL: clobUrl })
  step(`saved the exit file, and ${kept} roots in a mirror, the newest ${newest}; vault ${place.vault}`)
  return { file, mirror, exit }
}

/** The exchange is gone: the chain alone runs on, from its own folder. */
async function leave(walk: Walk, key: Hex, kept: Awaited<ReturnType<typeof keep>>, files: Map<Hex, string>, operator: Hex): Promise<void> {
  const { chain, wallet } = walk
  const more = ['--mirror', kept.mirror]
  step('eight days without a root')
  await chain.pass(8)
  const own = async () => augury<Left>(root, ['exit', kept.file, ...more], { AUGURY_WALLET_KEY: key })
  const first = await own()
  for (const { kind, amount, transaction } of first.sent) await chain.receipt(`${kind} ${amount ?? ''}`, transaction)
  say(`  waits: ${first.waiting.map(({ kind }) => kind).join(', ') || 'nothing'}`)
  step('another 31 days: positions pay by the last root')
  await chain.pass(31)
  const second = await own()
  for (const { kind, amount, transaction } of second.sent) await chain.receipt(`${kind} ${amount ?? ''}`, transaction)
  if (second.waiting.length > 0) throw new Error(`the member still waits: ${JSON.stringify(second.waiting)}`)
  say(
    `  the member has ${await chain.balanceOf(wallet.address)} millionths; the vault still ${await chain.balanceOf(chain.vault)}, of others`,
  )
  for (const [account, file] of files) {
    const count = await leaveAs(root, chain, account, file, [...more, '--from', operator])
    if (count > 0) say(`  ${account} left with ${count} transactions`)
  }
  const left = await chain.balanceOf(chain.vault)
  step(`the vault holds ${left}`)
  if (left !== 0n) throw new Error('the vault is not empty')
}

async function main(): Promise<void> {
  if (foundryBinary('anvil') === null) throw new Error('npm has no Anvil for this platform')
  step('npm start, with an empty data folder and ports of its own')
  const everything = await startEverything(root, 'rehearsal')
  let anvil: ReturnType<typeof startChild> | null = null
  try {
    const settings = startSettings(everything.settings)
    const { origin, publicClobUrl, chainId, clobDatabaseUrl, anvilPort } = settings
    const key = generatePrivateKey()
    const wallet = privateKeyToAccount(key)
    const { token } = await signIn({ url: origin, wallet, chainId })
    const context = (await enableTrading({ site: platformClient({ url: origin, token }), wallet })) ?? undefined
    const site = platformClient({ url: origin, token, context })
    step(`signed in as ${wallet.address}, trading enabled`)
    const { place } = await site.getChain()
    if (!place) throw new Error('the site names no chain')
    const walk: Walk = { everything, place, site, wallet, chain: chainAt(place, `http://127.0.0.1:${anvilPort}`, say) }

    await addFunds(walk)
    await trade(walk)
    step('withdraw')
    await withdraw(walk, '30', async (asked) => {
      await asked
      await killSettler(everything)
    })
    step(`withdraw while the chain is away for ${PAUSE_S} s`)
    await withdraw(walk, '15', (asked) => pauseNode(String(anvilPort), PAUSE_S, async () => void (await asked)))
    await wait(5_000) // the root after the payment

    const kept = await keep(walk, publicClobUrl)
    mkdirSync(join(folder, 'accounts'))
    const files = await exitFiles(clobDatabaseUrl, kept.exit, join(folder, 'accounts'))
    const operator = privateKeyToAddress(settings.settlerKey!)
    await everything.child.stop()
    step('the exchange, the site, the settler and the database are gone for good')
    const [program, ...args] = anvilCommand(settings, foundryBinary('anvil')!)
    anvil = startChild(program, args, { env: { HOME: folder } })
    await until('the chain', () => walk.chain.node.getBlockNumber())
    await leave(walk, key, kept, files, operator)
    step('done')
  } finally {
    await anvil?.stop()
    await everything.stop()
  }
}

await main()
