import { Migration } from '@mikro-orm/migrations'

/** Prices change all the time: what is looked for by them must not make every change write to every index. */
export class Migration20261120143200_final_prices extends Migration {
  override up(): void {
    this.addSql(`
      drop index market_price_to_settle;
      alter table "market" add column "price_is_final" boolean not null default false;
      alter table "market" add constraint "market_final_price" check (not price_is_final or is_resolved);
      update market set price_is_final = true where is_resolved and price = weight;
      create index market_price_to_settle on market (condition_id) where is_resolved and not price_is_final;
      alter table "market" set (fillfactor = 80);
    `)
  }
}
