import { Migration } from '@mikro-orm/migrations'

/** What a model wrote for readers about markets. */
export class Migration20261120145300_market_context extends Migration {
  override up(): void {
    this.addSql(`
      create table "market_context" (
        "market_condition_id" text not null,
        "text" text not null,
        "generated_at" timestamptz(3) not null,
        "actor_id" uuid null,
        primary key ("market_condition_id"));
      create index "market_context_actor_id_index" on "market_context" ("actor_id");
      alter table "market_context" add constraint "market_context_market_condition_id_foreign" foreign key ("market_condition_id") references "market" ("condition_id") on update cascade on delete cascade;
      alter table "market_context" add constraint "market_context_actor_id_foreign" foreign key ("actor_id") references "users" ("id") on delete set null;
      alter table "market_context" add constraint "market_context_text" check (length(text) >= 1 and length(text) <= 4000);
    `)
  }
}
