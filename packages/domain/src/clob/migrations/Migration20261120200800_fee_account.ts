import { Migration } from '@mikro-orm/migrations'

/** Where a deployment's fees go when they do not go to its operator. The journal says of each order where its fee went. */
export class Migration20261120200800_fee_account extends Migration {
  override up(): void {
    this.addSql(
      `create table fee_account (deployment bytea not null, account bytea not null, changed_at timestamptz(3) not null default now(), primary key (deployment))`,
    )
    this.addSql(
      `alter table fee_account add constraint fee_account_addresses check (octet_length(deployment) = 20 and octet_length(account) = 20 and deployment <> account)`,
    )
  }
}
