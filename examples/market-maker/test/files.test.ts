import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import { readCatalogue } from '../src/catalogue.ts'
import { readLastPrices } from '../src/last-prices.ts'
import { type Wallets, wallets } from '../src/wallets.ts'

const folder = mkdtempSync(join(tmpdir(), 'augury-market-maker-'))
afterAll(() => rmSync(folder, { recursive: true }))

const addresses = ({ maker, takers }: Wallets) => [maker, ...takers].map(({ address }) => address)

test('the wallets are made once, differ, and only their owner can read them', () => {
  const first = addresses(wallets(join(folder, 'new')))
  expect(addresses(wallets(join(folder, 'new')))).toEqual(first)
  expect([first.length, new Set(first).size]).toEqual([9, 9])
  expect(statSync(join(folder, 'new', 'market-maker.json')).mode & 0o777).toBe(0o600)
})

test('a file of two wallets keeps both, and gets the others', () => {
  const [maker, taker] = [generatePrivateKey(), generatePrivateKey()]
  mkdirSync(join(folder, 'old'))
  writeFileSync(join(folder, 'old', 'market-maker.json'), JSON.stringify({ maker, taker }))
  const made = addresses(wallets(join(folder, 'old')))
  expect(made.slice(0, 2)).toEqual([maker, taker].map((key) => privateKeyToAccount(key).address))
  expect(new Set(made).size).toBe(9)
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
