import { Migration } from '@mikro-orm/migrations'

/** What was paid to referrers can be read in the order of the log. */
export class Migration20261120133856_affiliate_shares extends Migration {
  override up(): void {
    this.addSql(`create index ledger_entry_affiliate on ledger_entry (stream, seq) where reason = 'affiliate'`)
  }
}
