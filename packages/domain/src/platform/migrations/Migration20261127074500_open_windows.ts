import { Migration } from '@mikro-orm/migrations'

/** The windows of a series that wait for their prices are found without reading those that are over, of which there are ever more. */
export class Migration20261127074500_open_windows extends Migration {
  override up(): void {
    this.addSql(
      `create index event_of_series_open on event (series_slug) where series_slug is not null and status in ('active', 'archived')`,
    )
  }
}
