import assert from 'node:assert/strict'
import type { Hex } from 'viem'
import { rpcNode } from '../src/node.ts'
import { NodeError } from '../src/node-error.ts'
import { advanceOutbox, enqueue, type OutboxWorld } from '../src/outbox.ts'
import { keySigner } from '../src/sign.ts'
import { wallClock } from '../src/wall-clock.ts'
import { memoryOutbox } from './memory-stores.ts'

// Tries the rule of replacements against a node of another kind, whose blocks are made by `evm_mine` alone: Anvil takes 5 % more, other nodes ask
// for 10. `node packages/chain/test/other-node.ts URL PREFIX`, where PREFIX is that of the node's own methods, such as hardhat or anvil.
const [url, prefix] = process.argv.slice(2)
assert(url && prefix, 'name the URL of the node and the prefix of its methods')
const signer = keySigner(`0x${'d1'.repeat(32)}`)
const TO: Hex = `0x${'aa'.repeat(20)}`
const GAS = 60_000
const BUMP_MS = 1_000

async function ask(method: string, ...params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await fetch(url!, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  const { result, error } = (await answer.json()) as { result: unknown; error?: unknown }
  assert.equal(error, undefined)
  return result
}

const node = rpcNode({ url, clock: wallClock, fetch })
const chainId = await node.chainId()
const head = async () => (await node.block('latest'))!
await ask(`${prefix}_setBalance`, signer.address, '0x56bc75e2d63100000')

/** Sends a transaction of the next nonce with other bytes than the outbox's. Returns what the node says. */
async function sendOther(data: Hex, perMille: bigint): Promise<string> {
  const at = await head()
  const tip = await node.tip()
  const nonce = await node.nonce(signer.address, at)
  const fees = { maxFee: ((2n * at.baseFee + tip) * perMille) / 1000n + 1n, tip: (tip * perMille) / 1000n + 1n }
  const raw = await signer.sign({ chainId, nonce, to: TO, data, gas: GAS, ...fees })
  return node.send(raw).then(
    () => 'taken',
    (error: unknown) => (error instanceof NodeError ? error.message : String(error)),
  )
}

let now = 0
const store = memoryOutbox()
const fees = { bumpMs: BUMP_MS, feeCap: 10n ** 14n }
const world: OutboxWorld = {
  ...{ node, signer, store, chainId, fees },
  clock: { ...wallClock, now: () => now },
  revised: async () => null,
}
await advanceOutbox(world, await head())
const { data } = await enqueue(store, { purpose: { kind: 'other', name: 'ours' }, to: TO, data: '0x01', gas: GAS })

// Another form of the nonce lies at the node, for 5 % more than the outbox will offer: its store was restored from a backup.
assert.equal(await sendOther('0x02', 1050n), 'taken')
const small = await sendOther('0x03', (1050n * 1090n) / 1000n)
process.stdout.write(`9 % more: ${small}\n`)
let steps = 0
for (let open = 1; open > 0 && steps < 5; steps++) {
  const report = await advanceOutbox(world, await head())
  for (const { message } of report.problems) process.stdout.write(`step ${steps + 1}: ${message}\n`)
  if (report.problems.length === 0) await ask('evm_mine')
  now += BUMP_MS
  open = (await advanceOutbox(world, await head())).open
}
const { transactions } = (await ask('eth_getBlockByNumber', 'latest', true)) as { transactions: { input: Hex }[] }
assert.deepEqual(
  transactions.map(({ input }) => input),
  [data],
)
const [intent] = await store.intents(0)
process.stdout.write(`the outbox’s own bytes are mined after ${steps} steps and ${intent?.versions.length ?? 0} forms\n`)
