import { Migration } from '@mikro-orm/migrations';

export class Migration20261120120208_notifications extends Migration {

  override name = 'Migration20261120120208_notifications';

  override up(): void | Promise<void> {
    this.addSql(`create table "dropped_notification" ("account" bytea not null, "id" bigint not null, "dropped_at" timestamptz(3) not null default now(), primary key ("account", "id"));`);

    this.addSql(`alter table "dropped_notification" add constraint "dropped_notification_account" check (octet_length(account) = 20);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "dropped_notification" cascade;`);
  }

}
