import type { OracleAddress } from '@augury/settings/kinds'
import { candleOracle } from './candle-oracle.ts'
import type { Source } from './intervals.ts'
import type { Oracle } from './oracle.ts'
import { pointOracle } from './point-oracle.ts'
import { priceService } from './price-service.ts'
import { simulatedOracle } from './simulated-oracle.ts'

/** The price sources of a deployment; null where none is configured. */
export type Oracles = Readonly<Record<Source, Oracle | null>>

/** The settings of price sources. */
export interface OracleSettings {
  mode: 'sandbox' | 'production'
  oracleA: OracleAddress
  oracleAKey: string | null
  oracleB: OracleAddress
  oracleBKey: string | null
}

/** Makes the sources, without any request. Throws when a production deployment would settle money on made-up prices. */
export function openOracles({ mode, oracleA, oracleAKey, oracleB, oracleBKey }: OracleSettings): Oracles {
  const make = (letter: 'A' | 'B', address: OracleAddress, key: string | null): Oracle | null => {
    if (address.kind === 'none') return null
    if (address.kind === 'simulated') {
      if (mode === 'production') throw new Error(`ORACLE_${letter} must not be simulated in production`)
      return simulatedOracle(`Simulated feed ${letter}`, { differs: letter === 'B' })
    }
    const ask = priceService(address.url, { key, loopback: mode === 'sandbox' })
    const name = new URL(address.url).hostname
    return address.kind === 'candles' ? candleOracle(name, address.url, ask) : pointOracle(name, address.url, ask)
  }
  return { oracle_a: make('A', oracleA, oracleAKey), oracle_b: make('B', oracleB, oracleBKey) }
}
