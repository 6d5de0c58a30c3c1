import { settlerSettings } from '@augury/settings/env'
import { expect, test } from 'vitest'
import { needsOf } from '../src/open-world.ts'

const KEY = `0x${'0a'.repeat(32)}`
const ADDRESS = `0x${'0b'.repeat(20)}`
const whole = {
  MODE: 'production',
  DATABASE_URL: 'postgres://settler@127.0.0.1/platform',
  CLOB_URL: 'http://127.0.0.1:3001',
  PUBLIC_CLOB_URL: 'https://clob.example.org',
  SETTLER_WALLET_KEY: KEY,
  SETTLEMENT: 'chain',
  RPC_URL: 'https://rpc.example.org',
  VAULT_ADDRESS: ADDRESS,
  COLLATERAL_ADDRESS: ADDRESS,
  SETTLER_KEY: KEY,
}
const needs = (changed: Record<string, string>) => () => needsOf(settlerSettings({ ...whole, ...changed }))

test.each([
  ['SETTLEMENT', 'where it is ledger'],
  ['RPC_URL', 'through a node'],
  ['VAULT_ADDRESS', 'npm run deploy-contracts'],
  ['COLLATERAL_ADDRESS', 'the USDC'],
  ['SETTLER_KEY', 'SIGNER_URL with SIGNER_ADDRESS'],
])('a settler without %s does not start, and says why', (name, why) => {
  expect(needs({ [name]: '' })).toThrow(new RegExp(`${name}.*${why}`))
})

test('a remote signer is enough in place of a key', () => {
  expect(needs({ SETTLER_KEY: '', SIGNER_URL: 'http://127.0.0.1:9000', SIGNER_ADDRESS: ADDRESS })().signer.address).toBe(ADDRESS)
})
