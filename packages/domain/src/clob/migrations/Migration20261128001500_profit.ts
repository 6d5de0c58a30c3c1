import { Migration } from '@mikro-orm/migrations'

/**
 * Profit after fees: costs include fees, splits, merges and conversions move cost, and parts of fees that others paid are kept by market. The
 * folds are made anew after this release, so nothing is worked out here. The columns that are not written any more stay for the release before.
 */
export class Migration20261128001500_profit extends Migration {
  override up(): void {
    this.addSql(
      `alter table "position" add "gone_cost" bigint not null default '0', add "realised" bigint not null default '0', add "fees" bigint not null default '0'`,
    )
    this.addSql('alter table "position" add constraint "position_fees" check (gone_cost >= 0 and fees >= 0)')
    this.addSql(
      `create index ledger_entry_other on ledger_entry (stream, seq) where reason in ('split', 'merge', 'convert', 'redeem', 'fee', 'rebate', 'affiliate')`,
    )
    this.addSql(
      `create table reward (
        stream text not null, account bytea not null, condition_id bytea not null, amount bigint not null,
        primary key (stream, account, condition_id),
        constraint reward_key check (octet_length(account) = 20 and octet_length(condition_id) = 32)
      )`,
    )
  }
}
