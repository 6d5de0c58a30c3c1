import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rpcNode } from '@augury/chain/node'
import { wallClock } from '@augury/chain/wall-clock'
import { foundryBinary } from '@augury/contracts/foundry'
import { startSettings } from '@augury/settings/env'
import { freePort } from '@augury/testing/free-port'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { expect, test } from 'vitest'
import { type Settlement, settlementOf, stateFile } from '../src/local-chain.ts'
import { supervisor } from '../src/supervisor.ts'

const settingsOf = async (more: Record<string, string> = {}) =>
  startSettings({ DATA_DIR: temporaryFolder('local-chain'), ANVIL_PORT: String(await freePort()), ...more })

test.each([
  [{ SETTLEMENT: 'ledger' }, '/anvil', 'ledger', 'in the ledger alone, because SETTLEMENT is ledger'],
  [{}, null, 'ledger', `in the ledger alone, because there is no Anvil for ${process.platform} ${process.arch}`],
  [{ RPC_URL: 'http://127.0.0.1:1' }, '/anvil', 'ledger', 'in the ledger alone, because SETTLEMENT is not chain'],
  [{ RPC_URL: 'http://127.0.0.1:1', SETTLEMENT: 'chain' }, '/anvil', 'elsewhere', 'through the chain of RPC_URL'],
  [{}, '/anvil', 'local', expect.stringMatching(/^through a chain of its own, http:\/\/127\.0\.0\.1:\d+,/)],
] as const)('with %o and Anvil at %s money moves: %s', async (more, binary, kind, words) => {
  const settlement = settlementOf(await settingsOf(more), binary)
  expect(settlement).toMatchObject({ kind, words })
  if (kind !== 'elsewhere') expect(settlement.env.SETTLEMENT).toBe(kind === 'local' ? 'chain' : 'ledger')
})

test('a state that was cut short is put aside, and a whole one kept', () => {
  const folder = join(temporaryFolder('state'), 'chain')
  const path = stateFile(folder)
  writeFileSync(path, '{"block":{}}')
  expect(stateFile(folder)).toBe(path)
  expect(readdirSync(folder)).toEqual(['state.json'])
  writeFileSync(path, '{"block":{')
  stateFile(folder)
  expect(readdirSync(folder)).toEqual(['state.json.broken'])
})

test('the chain has its contracts when it is ready, and keeps its blocks over a restart', async ({ annotate }) => {
  if (foundryBinary('anvil') === null) return void (await annotate('npm has no Anvil for this platform'))
  const settings = await settingsOf()
  const { anvil, deployment, url } = settlementOf(settings) as Extract<Settlement, { kind: 'local' }>
  mkdirSync(settings.dataDir, { recursive: true })
  const node = rpcNode({ url, clock: wallClock, fetch })
  const run = async () => {
    const programs = supervisor({ logs: join(settings.dataDir, 'logs'), echo: false, onEnd: expect.unreachable })
    await programs.start(anvil)
    const head = (await node.block('latest'))!
    const codes = await Promise.all(deployment.steps.map(({ address }) => node.code(address, head)))
    await programs.stop()
    return { head, missing: codes.filter((code) => code === '0x').length }
  }
  const first = await run()
  expect(first).toMatchObject({ head: { number: deployment.steps.length }, missing: 0 })
  expect(await run()).toEqual(first)
  expect(existsSync(join(settings.dataDir, 'chain/.foundry/anvil/tmp'))).toBe(false) // no state of each block on the disk
  expect(JSON.parse(readFileSync(join(settings.dataDir, 'chain/state.json'), 'utf8')).best_block_number).toBe(first.head.number)
})
