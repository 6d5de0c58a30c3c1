import { Migration } from '@mikro-orm/migrations'

/** Prices by longer stretches than a minute, made from the minutes there are. */
export class Migration20261120134600_price_rollups extends Migration {
  override up(): void {
    this.addSql(`
      create table "price_rollup" (
        "market_condition_id" text not null,
        "minutes" smallint not null,
        "start" timestamptz(0) not null,
        "price" numeric(6,1) not null,
        primary key ("market_condition_id", "minutes", "start"));
      alter table "price_rollup" add constraint "price_rollup_price" check (price >= 0 and price <= 10000);
      alter table "price_rollup" add constraint "price_rollup_minutes" check (minutes in (5, 60, 1440));
      alter table "price_rollup" add constraint "price_rollup_start" check (extract(epoch from start)::bigint % (minutes * 60) = 0);
      alter table "price_rollup" add constraint "price_rollup_market_condition_id_foreign" foreign key ("market_condition_id") references "market" ("condition_id") on delete cascade;
      insert into price_rollup (market_condition_id, minutes, start, price)
      select distinct on (1, 2, 3) market_condition_id, length::smallint, date_bin(length * interval '1 minute', minute, '2000-01-01Z'), price
      from price_point cross join unnest(array[5, 60, 1440]) length
      order by 1, 2, 3, minute desc;
      create index market_price_to_settle on market (condition_id) where is_resolved and price <> weight;
    `)
  }
}
