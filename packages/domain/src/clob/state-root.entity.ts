import { defineEntity, p } from '@mikro-orm/core'
import { millisColumn, seqColumn, usdcColumn } from '../columns.ts'

const schema = defineEntity({
  name: 'StateRoot',
  tableName: 'state_root',
  checks: [
    { name: 'state_root_positions', expression: 'n >= 1 and seq >= 1 and at > 0 and closes > at and assets >= 1 and holders >= 0' },
    { name: 'state_root_adds_up', expression: 'usdc >= 0 and locked >= 0 and converted >= 0 and usdc + locked + converted = custody' },
    {
      name: 'state_root_lengths',
      expression: `digest ~ '^[0-9a-f]{16}$' and octet_length(journal) = 32 and octet_length(previous) = 32 and octet_length(root) = 32
        and octet_length(key) = 32 and octet_length(hash) = 32 and octet_length(signature) = 64 and octet_length(endorsement) = 64`,
    },
  ],
  uniques: [{ name: 'state_root_seq', properties: ['stream', 'seq'] }],
  properties: {
    stream: p.text().primary(),
    /** Counts the roots of the stream. */
    n: p.integer().primary(),
    seq: seqColumn(),
    /** Engine milliseconds of that command, and of the end of its hour. */
    at: millisColumn(),
    closes: millisColumn(),
    digest: p.text(),
    /** Checksum of the journal's row at `seq`. */
    journal: p.blob(),
    /** Hash of the root before. */
    previous: p.blob(),
    root: p.blob(),
    assets: p.integer(),
    holders: p.integer(),
    usdc: usdcColumn(),
    locked: usdcColumn(),
    converted: usdcColumn(),
    custody: usdcColumn(),
    /** Ed25519, raw. */
    key: p.blob(),
    /** SHA-256 of the signed text. */
    hash: p.blob(),
    signature: p.blob(),
    /** The former key's signature of the same text, on the first root of a new key. */
    endorsement: p.blob().nullable(),
  },
})

/** A signed summary of the exchange's state, made once an hour, each naming the one before. The database refuses changes and deletions. */
export class StateRoot extends schema.class {}
schema.setClass(StateRoot)
