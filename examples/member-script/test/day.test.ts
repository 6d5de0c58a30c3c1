import { join } from 'node:path'
import { startChild } from '@augury/testing/child-process'
import { shellBlocks } from '@augury/testing/shell-blocks'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { spendDay } from '../src/day.ts'
import { startDeployment } from './deployment.ts'

let at: Awaited<ReturnType<typeof startDeployment>>
beforeAll(async () => {
  at = await startDeployment()
})
afterAll(() => at?.close())

test('a script signs in, trades through the site, turns the second factor on, is refused without it, and reads what it was told', async () => {
  const said: string[] = []
  const day = await spendDay(at, privateKeyToAccount(generatePrivateKey()), (text) => said.push(text))
  const { placed } = day.orders
  expect(day).toEqual({
    orders: { placed, openAfterPlacing: [placed], openAfterCancelling: [], boughtState: 'filled' },
    refused: 'the second factor is needed',
    notifications: expect.arrayContaining(['Order filled', 'Trading was enabled on a new device']),
  })
  expect(said).toContain('buys 12.5 Yes')
  expect(at.bugs).toEqual([])
})

test('the script runs as README.md says', { timeout: 600_000 }, async () => {
  const [block = ''] = shellBlocks('examples/member-script/README.md')
  const script = block.replace('http://localhost:3000', at.site).replace('http://localhost:3001', at.exchange)
  const child = startChild('bash', ['-euc', script], { cwd: join(import.meta.dirname, '../../..') })
  expect([await child.ended, child.output()]).toEqual([0, expect.stringContaining('buys 12.5 Yes')])
})
