import { defineEntity, p } from '@mikro-orm/core'
import { millisColumn, seqColumn } from '../columns.ts'

const schema = defineEntity({
  name: 'JournalRow',
  tableName: 'journal',
  checks: [
    {
      name: 'journal_positions',
      expression: 'first_seq >= 1 and last_seq >= first_seq and applied_through >= 0 and applied_through < first_seq',
    },
    { name: 'journal_counters', expression: 'timeline >= 1 and epoch >= 1 and rules >= 1 and at > 0' },
    { name: 'journal_has_commands', expression: 'octet_length(commands) > 0' },
    { name: 'journal_digest_form', expression: `digest ~ '^[0-9a-f]{16}$'` },
    { name: 'journal_checksum_length', expression: 'octet_length(checksum) = 32 and octet_length(previous_checksum) = 32' },
  ],
  // Time grows with position: this finds the position of a time, for lists that are asked by time.
  indexes: [{ name: 'journal_by_time', expression: 'create index journal_by_time on journal (stream, at, first_seq) include (last_seq)' }],
  properties: {
    stream: p.text().primary(),
    // Together with the test that a row names the head's checksum, the key leaves every row exactly one successor.
    firstSeq: seqColumn().primary(),
    lastSeq: seqColumn(),
    timeline: p.integer(),
    epoch: seqColumn(),
    at: millisColumn(),
    rules: p.integer(),
    /** Position whose state `digest` is of: the last row that was applied when this one was cut. */
    appliedThrough: seqColumn(),
    digest: p.text(),
    commands: p.blob(),
    checksum: p.blob(),
    previousChecksum: p.blob(),
  },
})

/** What the exchange was told, in order: the one thing everything else is made from. Each row is one turn of the sequencer. */
export class JournalRow extends schema.class {}
schema.setClass(JournalRow)
