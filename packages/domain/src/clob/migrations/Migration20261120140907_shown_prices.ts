import { Migration } from '@mikro-orm/migrations'

/** What lists showed a market at, minute by minute, also where it is quoted and never traded. */
export class Migration20261120140907_shown_prices extends Migration {
  override up(): void {
    this.addSql(
      `create table shown_price (
        stream text not null, condition_id bytea not null, minute bigint not null, half_steps int not null,
        primary key (stream, condition_id, minute),
        constraint shown_price_condition check (octet_length(condition_id) = 32),
        constraint shown_price_whole_minute check (minute % 60000 = 0),
        constraint shown_price_bounds check (half_steps between 0 and 20000)
      )`,
    )
  }
}
