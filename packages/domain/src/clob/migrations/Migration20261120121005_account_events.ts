import { Migration } from '@mikro-orm/migrations';

export class Migration20261120121005_account_events extends Migration {

  override name = 'Migration20261120121005_account_events';

  override up(): void | Promise<void> {
    this.addSql(`alter table "order_change" add "account" bytea;`);
    this.addSql(`update order_change c set account = p.account from placement p where p.stream = c.stream and p.order_id = c.order_id;`);
    this.addSql(`alter table "order_change" alter column "account" set not null;`);
    this.addSql(`create index order_change_by_account on order_change (stream, account, seq, n);`);
    this.addSql(`create index order_change_sizes on order_change (stream, order_id, seq, n) where kind = 'reduced';`);
    this.addSql(`alter table "order_change" add constraint "order_change_account" check (octet_length(account) = 20);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "order_change_by_account";`);
    this.addSql(`drop index "order_change_sizes";`);
    this.addSql(`alter table "order_change" drop constraint "order_change_account";`);
    this.addSql(`alter table "order_change" drop column "account";`);
  }

}
