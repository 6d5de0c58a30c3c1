import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readCatalogue } from '../src/catalogue.ts'
import { readLastPrices } from '../src/last-prices.ts'
import { wallets } from '../src/wallets.ts'

const folder = mkdtempSync(join(tmpdir(), 'augury-market-maker-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('the wallets are made once, are two, and only their owner can read them', () => {
  const first = wallets(join(folder, 'new'))
  const again = wallets(join(folder, 'new'))
  expect([again.maker.address, again.taker.address]).toEqual([first.maker.address, first.taker.address])
  expect(first.maker.address).not.toBe(first.taker.address)
  expect(statSync(join(folder, 'new', 'market-maker.json')).mode & 0o777).toBe(0o600)
})

test('no prices are kept before the first time', () => {
  expect(readLastPrices(join(folder, 'nowhere')).size).toBe(0)
})

test('a catalogue gives prices by slug and leaves out what has none', () => {
  const path = join(folder, 'catalogue.json')
  const markets = [{ slug: 'a', outcomePrices: '["0.25", "0.75"]', volumeNum: 10 }, { slug: 'b' }, { outcomePrices: '["0.5", "0.5"]' }]
  writeFileSync(path, JSON.stringify([{ markets }, {}]))
  expect([...readCatalogue(path)]).toEqual([['a', { price: 0.25, volume: 10 }]])
})
