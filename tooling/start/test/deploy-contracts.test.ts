import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { askNode } from '@augury/chain/json-rpc'
import { wallClock } from '@augury/chain/wall-clock'
import { foundryBinary } from '@augury/contracts/foundry'
import { deploySettings } from '@augury/settings/env'
import { startChild } from '@augury/testing/child-process'
import { eventually } from '@augury/testing/eventually'
import { freePort } from '@augury/testing/free-port'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import { deployByHand } from '../src/deploy-by-hand.ts'
import { deployPlan } from '../src/deploy-plan.ts'

const ROLES = {
  operator: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  guardian: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  proposers: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
}
const WHOLE = { ...ROLES, limit: '50000', 'test-token': true } as const

const argsOf = (options: Record<string, string | true>) =>
  Object.entries(options).flatMap(([name, value]) => (value === true ? [`--${name}`] : [`--${name}`, value]))

test('amounts are USDC, and the rest has safe values', () => {
  expect(deployPlan(argsOf({ ...WHOLE, 'min-deposit': '2.5' }))).toEqual({
    contracts: {
      ...{ operator: ROLES.operator, guardian: ROLES.guardian, proposers: [ROLES.proposers] },
      ...{ limit: 50_000_000_000n, minDeposit: 2_500_000n, timelockDelay: 172_800n, demandFee: 10n ** 15n },
    },
    dryRun: false,
    keyFile: null,
  })
})

test.each([
  ['nothing', {}, /--operator is missing.*--guardian is missing.*--proposers is missing.*--token.*--limit is missing/s],
  [
    'an address that was mistyped',
    { ...WHOLE, operator: ROLES.operator.replace('C8', 'c8') },
    /--operator must be an address with a valid checksum/,
  ],
  ['one key for both', { ...WHOLE, guardian: ROLES.operator }, /--guardian must be another address/],
  ['an operator who may change the rules', { ...WHOLE, proposers: `${ROLES.proposers},${ROLES.operator}` }, /--proposers must not include/],
  ['two tokens', { ...WHOLE, token: ROLES.proposers }, /either --token or --test-token/],
  ['no deposits at all', { ...WHOLE, 'min-deposit': '0' }, /--min-deposit must be a number above 0/],
  ['a limit that is no number', { ...WHOLE, limit: 'much' }, /--limit must be a number above 0/],
  ['an option that there is not', { ...WHOLE, owner: ROLES.proposers }, /--owner/],
] as [string, Record<string, string | true>, RegExp][])('%s is refused', (_, options, words) => {
  expect(() => deployPlan(argsOf(options))).toThrow(words)
})

test('contracts are deployed once, checked, and what to set is printed; what is wrong is said before anything is sent', async ({
  annotate,
}) => {
  const binary = foundryBinary('anvil')
  if (binary === null) return void (await annotate('npm has no Anvil for this platform'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const folder = temporaryFolder('deploy')
  startChild(binary, ['--port', String(port), '--chain-id', '80002', '--hardfork', 'cancun', '--accounts', '0', '--prune-history'], {
    env: { HOME: folder },
  })
  const ask = (method: string, params: unknown[]) => askNode({ url, clock: wallClock, fetch }, [[method, params]])
  await eventually(() => ask('eth_chainId', []))
  const [key, file] = [generatePrivateKey(), join(folder, 'key')]
  writeFileSync(file, key)
  const run = async (more: Record<string, string | true>, env: Record<string, string> = {}) => {
    const said: string[] = []
    const settings = deploySettings({ RPC_URL: url, ...env })
    const problem = await deployByHand(argsOf({ ...WHOLE, ...more }), { settings, say: (line) => said.push(line) }).catch(
      ({ message }) => message,
    )
    return [problem ?? 'done', said.join('\n')]
  }
  const refused = (words: RegExp) => [expect.stringMatching(words), expect.any(String)]
  const paid = { 'key-file': file }

  expect(
    await Promise.all([
      run({ 'dry-run': true }),
      run(paid, { CHAIN_ID: '137' }),
      run(paid, { RPC_URL: 'http://127.0.0.1:1' }),
      run({}),
      run(paid),
    ]),
  ).toEqual([
    ['done', expect.stringMatching(/missing +vault +0x.*7 of 7 are missing/s)],
    refused(/serves chain 80002, and CHAIN_ID is 137/),
    refused(/does not answer/),
    refused(/key that pays for the deployment is missing/),
    refused(/can be read by other users/),
  ])
  chmodSync(file, 0o600)
  expect(await run(paid)).toEqual(refused(/coins are needed for 7 contracts .* has 0\. Nothing was sent/))
  await ask('anvil_setBalance', [privateKeyToAddress(key), '0x8ac7230489e80000'])
  const whole =
    /The contracts show what they were deployed with.*SETTLEMENT=chain.*CHAIN_ID=80002.*VAULT_ADDRESS=0x\w{40}.*COLLATERAL_ADDRESS=0x\w{40}/s
  expect(await run(paid)).toEqual(['done', expect.stringMatching(whole)])
  expect(await run({ 'dry-run': true })).toEqual(['done', expect.stringMatching(/there +vault.*The contracts show/s)])
  expect(await ask('eth_blockNumber', [])).toEqual(['0x7'])
}, 60_000)
