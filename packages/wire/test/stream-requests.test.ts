import { expect, test } from 'vitest'
import { marketRequest } from '../src/market-stream.ts'
import { parse } from '../src/parse.ts'
import { ServiceError } from '../src/service-error.ts'
import { userRequest } from '../src/user-stream.ts'

/** The fields that are named as wrong in a frame. */
function named(schema: typeof marketRequest | typeof userRequest, frame: object): string[] {
  try {
    parse(schema, frame)
  } catch (error) {
    if (error instanceof ServiceError) return (error.details as { path: string }[]).map(({ path }) => path)
    throw error
  }
  throw new Error('accepted')
}

const market = `0x${'1'.repeat(64)}`
const auth = { key: '3f2504e0-4f89-41d3-9a0c-0305e82c3301', passphrase: '', timestamp: '1', signature: '' }

test.each([
  [{ operation: 'resume', market }, ['seq', 'epoch']],
  [{ operation: 'resume', market, seq: '1', epoch: 0 }, ['seq']],
  [{ operation: 'resume', market, seq: 1, epoch: null }, ['epoch']],
  [{ operation: 'resume', market: 7, seq: 1, epoch: 1 }, ['market']],
  [{ operation: 'subscribe', markets: [7] }, ['markets.0']],
  [{ operation: 'subscribe', custom_feature_enabled: 1, markets: 'all' }, ['markets', 'custom_feature_enabled']],
  [{ operation: 'follow', markets: [market] }, ['operation']],
  [{ type: 'market', initial_dump: 'yes' }, ['initial_dump']],
  [{ type: 'books' }, ['type']],
  [{}, ['type']],
])('a frame of the market stream %j is refused for what is wrong with it', (frame, fields) => {
  expect(named(marketRequest, frame)).toEqual(fields)
})

test.each([
  [{ operation: 'resume' }, ['seq', 'epoch']],
  [{ operation: 'resume', seq: '1', epoch: 0 }, ['seq']],
  [{ operation: 'resume', account: 'me', seq: 1, epoch: 1 }, ['account']],
  [{ operation: 'unsubscribe', accounts: ['me'] }, ['accounts.0']],
  [{ operation: 'subscribe', markets: ['rain'] }, ['markets.0']],
  [{ operation: 'subscribe', market }, ['']],
  [{ type: 'user', auth, cancel_on_disconect: true }, ['']],
  [{ operation: 'follow' }, ['operation']],
  [{ type: 'user' }, ['auth']],
  [{ type: 'market', markets: [market] }, ['type', 'auth']],
])('a frame of the user stream %j is refused for what is wrong with it', (frame, fields) => {
  expect(named(userRequest, frame)).toEqual(fields)
})
