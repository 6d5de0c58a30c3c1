import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn, seqColumn } from '../columns.ts'
import { bytesCheck } from './fact.ts'

const schema = defineEntity({
  name: 'PostedRoot',
  tableName: 'posted_root',
  checks: [{ name: 'posted_root_transaction', expression: `${bytesCheck(32, 'transaction_hash')} and n >= 1 and seq >= 1` }],
  indexes: [{ name: 'posted_root_by_seq', expression: 'create index posted_root_by_seq on posted_root (stream, seq)' }],
  properties: {
    stream: p.text().primary(),
    /** Number of the signed root. */
    n: p.integer().primary(),
    /** Position of the last command that the root includes. */
    seq: seqColumn(),
    /** The transaction that posted it to the vault. */
    transactionHash: hexColumn(),
    postedAt: p.datetime(3).defaultRaw('now()'),
  },
})

/** A signed root that a confirmed block of the chain shows, as the settler reported it. */
export class PostedRoot extends schema.class {}
schema.setClass(PostedRoot)
