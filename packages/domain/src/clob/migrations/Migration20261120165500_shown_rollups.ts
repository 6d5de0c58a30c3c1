import { Migration } from '@mikro-orm/migrations'

/**
 * What lists showed, rolled up to five minutes, hours and days. History of before prices were noted knows only trades: it becomes what was
 * shown then, so that there is one history of prices.
 */
export class Migration20261120165500_shown_rollups extends Migration {
  override up(): void {
    this.addSql(
      `create table shown_rollup (
        stream text not null, condition_id bytea not null, minutes smallint not null, start bigint not null, half_steps int not null,
        primary key (stream, condition_id, minutes, start),
        constraint shown_rollup_condition check (octet_length(condition_id) = 32),
        constraint shown_rollup_lengths check (minutes in (5, 60, 1440)),
        constraint shown_rollup_whole_stretch check (start % (minutes * 60000) = 0),
        constraint shown_rollup_bounds check (half_steps between 0 and 20000)
      )`,
    )
    this.addSql(
      `insert into shown_price (stream, condition_id, minute, half_steps)
       select stream, condition_id, minute, close * 2 from price_point traded
       where not exists (
         select from shown_price shown
         where (shown.stream, shown.condition_id) = (traded.stream, traded.condition_id) and shown.minute <= traded.minute
       )`,
    )
    this.addSql(
      `insert into shown_rollup (stream, condition_id, minutes, start, half_steps)
       select distinct on (stream, condition_id, length, minute - minute % (length * 60000))
         stream, condition_id, length, minute - minute % (length * 60000), half_steps
       from shown_price cross join (values (5), (60), (1440)) as lengths (length)
       order by stream, condition_id, length, minute - minute % (length * 60000), minute desc`,
    )
  }
}
