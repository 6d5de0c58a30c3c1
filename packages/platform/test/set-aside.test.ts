import { NoAnswerError, RefusedError } from '@augury/client/answer'
import { expect, test } from 'vitest'
import { setAside, type Treasury } from '../src/withdrawals/set-aside.ts'
import type { WithdrawalRow, WithdrawalStatus } from '../src/withdrawals/withdrawal-row.ts'

const row = (status: WithdrawalStatus) => ({ id: '1', address: '0x00', amount: '5', status }) as unknown as WithdrawalRow
const failing = (error: Error): Treasury => ({
  withdraw: async () => {
    throw error
  },
})
const refused = (status: number, code: string) => new RefusedError(status, { error: code, code }, undefined)

test.each<[string, Error, WithdrawalStatus]>([
  ['has not the money', refused(409, 'insufficient_balance'), 'refused'],
  ['is asked too often', refused(429, 'rate_limited'), 'approved'],
  ['cannot say', refused(503, 'service_unavailable'), 'approved'],
  ['does not answer', new NoAnswerError('away'), 'approved'],
])('an approved withdrawal, if the exchange %s, becomes: %o, %s', async (_, error, status) => {
  expect((await setAside(failing(error), row('approved'))).status).toBe(status)
})

test.each<[WithdrawalStatus, string]>([
  ['sent', 'insufficient_balance'],
  ['sent', 'wallet_taken'],
  ['approved', 'insufficient_scope'],
])('one that is %s and refused as %s needs an operator', async (status, code) => {
  const error = refused(409, code)
  await expect(setAside(failing(error), row(status))).rejects.toBe(error)
})
