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
  // Time grows with position: finds the position of a time, for lists that are filtered by time.
  indexes: [{ name: 'journal_by_time', expression: 'create index journal_by_time on journal (stream, at, first_seq) include (last_seq)' }],
  properties: {
    stream: p.text().primary(),
    // Together with the check that a row names the head's checksum, the key leaves every row exactly one successor.
    firstSeq: seqColumn().primary(),
    lastSeq: seqColumn(),
    timeline: p.integer(),
    epoch: seqColumn(),
    at: millisColumn(),
    rules: p.integer(),
    /** Position of the state that `digest` is of: the last row applied when this one was cut. */
    appliedThrough: seqColumn(),
    digest: p.text(),
    commands: p.blob(),
    checksum: p.blob(),
    previousChecksum: p.blob(),
  },
})

/** The commands of the exchange, in order: everything else is derived from them. Each row is one commit of the sequencer. */
export class JournalRow extends schema.class {}
schema.setClass(JournalRow)
