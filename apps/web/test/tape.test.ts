import type { Activity } from '@augury/wire/data'
import { expect, test } from 'vitest'
import { ownTapeRow } from '../src/lib/people/tape.ts'

test('a maker’s trade is shown with their own side, token and money', () => {
  const trade = { transactionHash: '0xab', side: 'BUY', outcome: 'Yes', price: 0.1, size: 10, usdcSize: 1, timestamp: 1_795_380_730 }
  expect(ownTapeRow(trade as Activity, 'maria', '/art/1/f_es.svg')).toMatchObject({
    id: '0xab',
    username: 'maria',
    side: 'BUY',
    outcome: 'Yes',
    price: 1_000,
    lots: 1_000,
    value: 1,
    at: 1_795_380_730_000,
  })
})
