import { Migration } from '@mikro-orm/migrations'

/** The address of a series finds its event by the end where it has no start, without a look at every event there is. */
export class Migration20261127034600_calendar_series extends Migration {
  override up(): void {
    this.addSql(
      'create index event_of_calendar on event (series_slug, end_date) where series_slug is not null and start_date is null',
    )
  }
}
