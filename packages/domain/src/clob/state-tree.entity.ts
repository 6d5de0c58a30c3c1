import { defineEntity, p } from '@mikro-orm/core'
import { seqColumn } from '../columns.ts'

const schema = defineEntity({
  name: 'StateTree',
  tableName: 'state_tree',
  checks: [
    { name: 'state_tree_places', expression: 'n >= 1 and chunk >= 0 and place >= 0 and holders >= 1 and total >= 0' },
    { name: 'state_tree_asset', expression: 'octet_length(asset) in (0, 33) and octet_length(first) = 32' },
    { name: 'state_tree_whole_records', expression: 'octet_length(records) > 0 and octet_length(records) % 40 = 0' },
  ],
  properties: {
    stream: p.text().primary(),
    n: p.integer().primary(),
    /** Condition and outcome; zeros for USDC; empty for the tree over all assets. */
    asset: p.blob().primary(),
    chunk: p.integer().primary(),
    /** Of the asset among all. */
    place: p.integer(),
    holders: p.integer(),
    total: seqColumn(),
    /** The first record's holder, where that is a leaf. */
    first: p.blob().nullable(),
    records: p.blob(),
  },
})

/** A piece of the tree under a root, kept for a day so that all accounts can get their proofs. */
export class StateTree extends schema.class {}
schema.setClass(StateTree)
