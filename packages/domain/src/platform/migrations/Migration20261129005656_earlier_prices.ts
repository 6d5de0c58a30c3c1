import { Migration } from '@mikro-orm/migrations'

/** Adds the prices that charts show from before the exchange first had one. */
export class Migration20261129005656_earlier_prices extends Migration {
  override up(): void {
    this.addSql(`
      create table earlier_prices (
        market_condition_id text not null, source text not null, minutes integer[] not null, prices smallint[] not null,
        primary key (market_condition_id),
        constraint earlier_prices_market_condition_id_foreign foreign key (market_condition_id)
          references market (condition_id) on update cascade on delete cascade,
        constraint earlier_prices_pairs check (cardinality(minutes) = cardinality(prices) and cardinality(minutes) > 0),
        constraint earlier_prices_source_check check (source in ('sample', 'imported'))
      )`)
  }
}
