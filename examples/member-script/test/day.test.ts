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
