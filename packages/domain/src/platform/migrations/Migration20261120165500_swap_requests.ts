import { Migration } from '@mikro-orm/migrations'

/** Questions to the swap service, counted against its limits. */
export class Migration20261120165500_swap_requests extends Migration {
  override up(): void {
    this.addSql(`
      create table "swap_request" (
        "id" uuid not null default uuidv7(),
        "at" timestamptz(3) not null,
        primary key ("id"));
      create index "swap_request_at_index" on "swap_request" ("at");
    `)
  }
}
