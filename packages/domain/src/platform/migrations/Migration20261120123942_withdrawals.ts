import { Migration } from '@mikro-orm/migrations'

/** Money that members take out. */
export class Migration20261120123942_withdrawals extends Migration {
  override up(): void {
    this.addSql(`
      create table "withdrawal" (
        "id" uuid not null default uuidv7(),
        "user_id" uuid not null,
        "address" text not null,
        "destination" text not null,
        "amount" bigint not null,
        "status" text not null default 'approved',
        "created_at" timestamptz(3) not null,
        "updated_at" timestamptz(3) not null,
        primary key ("id"));
      create index withdrawal_by_user on withdrawal (user_id, created_at desc, id desc);
      create index withdrawal_to_pursue on withdrawal (id) where status in ('approved', 'sent');
      alter table "withdrawal" add constraint "withdrawal_user_id_foreign" foreign key ("user_id") references "users" ("id");
      alter table "withdrawal" add constraint "withdrawal_amount" check (amount > 0);
      alter table "withdrawal" add constraint "withdrawal_addresses" check (address ~ '^0x[0-9a-f]{40}$' and destination ~ '^0x[0-9a-f]{40}$');
      alter table "withdrawal" add constraint "withdrawal_times" check (updated_at >= created_at);
      alter table "withdrawal" add constraint "withdrawal_status_check" check ("status" in ('approved', 'sent', 'settled', 'returned', 'refused'));
    `)
  }
}
