import { Migration } from '@mikro-orm/migrations'

/** How often an account traded, so that a request need not count all its trades. Folds are made anew after this release, this one too. */
export class Migration20261126070500_account_stats extends Migration {
  override up(): void {
    this.addSql(
      `create table account_stats (
        stream text not null, account bytea not null, trades bigint not null, primary key (stream, account),
        constraint account_stats_account check (octet_length(account) = 20 and trades >= 1)
      )`,
    )
  }
}
