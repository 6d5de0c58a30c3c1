import { Migration } from '@mikro-orm/migrations'

/** Events of a series by time. */
export class Migration20261120135711_events_of_series extends Migration {
  override up(): void {
    this.addSql(`create index event_of_series on event (series_slug, start_date) where series_slug is not null;`)
  }
}
