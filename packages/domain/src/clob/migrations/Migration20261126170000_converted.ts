import { Migration } from '@mikro-orm/migrations'

/** What was converted since some time is found without reading all that happened since. */
export class Migration20261126170000_converted extends Migration {
  override up(): void {
    this.addSql(`create index ledger_entry_converted on ledger_entry (stream, seq) where reason = 'convert'`)
  }
}
