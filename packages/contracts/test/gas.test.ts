import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@augury/testing/free-port'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { foundryBinary } from '../src/foundry.ts'
import { GAS_CEILINGS, type Gas, measureGas } from '../src/gas.ts'

// The ceilings are promises; the snapshot shows every change.
const binary = foundryBinary('anvil')
const home = mkdtempSync(join(tmpdir(), 'augury-gas-'))
let node: ChildProcess | undefined
let port: number

beforeAll(async () => {
  if (binary === null) return
  port = await freePort()
  const flags = ['--port', String(port), '--hardfork', 'cancun', '--prune-history', '--silent']
  node = spawn(binary, flags, { env: { HOME: home }, stdio: 'ignore' })
})

afterAll(() => {
  node?.kill()
  rmSync(home, { recursive: true, force: true })
})

test('every contract is deployed at its computed address, and gas stays below its ceilings', async ({ skip }) => {
  skip(binary === null, 'npm has no Anvil for this platform: gas is not measured here')
  const gas = await measureGas(`http://127.0.0.1:${port}`)
  for (const [name, ceiling] of Object.entries(GAS_CEILINGS)) expect(gas[name as keyof Gas], name).toBeLessThanOrEqual(ceiling)
  const lines = Object.entries(gas).map(([name, amount]) => `${name}: ${Math.round(amount)}\n`)
  await expect(lines.join('')).toMatchFileSnapshot('../gas.txt')
})
