import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LastPrices } from './market-maker.ts'

const fileIn = (folder: string) => join(folder, 'market-maker-prices.json')

/** The prices that were kept in a folder; none before the first time. */
export function readLastPrices(folder: string): LastPrices {
  const path = fileIn(folder)
  return new Map(existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as [string, number][]) : [])
}

/** Stores prices for the next start. A kill during the write leaves the earlier ones. */
export function keepLastPrices(folder: string, prices: LastPrices): void {
  const path = fileIn(folder)
  writeFileSync(`${path}.new`, JSON.stringify([...prices]))
  renameSync(`${path}.new`, path)
}
