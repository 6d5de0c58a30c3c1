import { Migration } from '@mikro-orm/migrations'

/** Indexes by table, as `name (columns)`. */
const NARROWED = {
  ledger_entry: ['ledger_entry_by_account (account, seq desc, n desc)'],
  placement: ['placement_by_account (account, seq desc, n desc)'],
  order_change: ['order_change_by_account (account, seq, n)'],
  fill: ['fill_by_maker (maker_account, seq desc, n desc)', 'fill_by_maker_order (maker_order_id)'],
  trade: ['trade_by_taker (taker_account, seq desc, n desc)', 'trade_by_condition (condition_id, seq desc, n desc)'],
}

/**
 * What history costs is its indexes. Those that begin with twenty or thirty-two bytes need not say the stream first, which every
 * comparison on the way down reads as a text; and the trades of a taker's order stand where its placement stands.
 */
export class Migration20261120170600_narrow_indexes extends Migration {
  override up(): void {
    this.addSql('drop index trade_by_taker_order')
    for (const [table, indexes] of Object.entries(NARROWED)) {
      for (const index of indexes) {
        const [name, columns] = index.split(/ (.*)/s)
        this.addSql(`drop index ${name}`)
        this.addSql(`create index ${name} on ${table} ${columns}`)
      }
    }
  }
}
