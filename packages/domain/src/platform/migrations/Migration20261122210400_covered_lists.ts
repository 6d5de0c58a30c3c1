import { Migration } from '@mikro-orm/migrations'

/** Lists of events are walked in their indexes alone: what decides whether an event is shown lies beside its place in the order. */
export class Migration20261122210400_covered_lists extends Migration {
  override up(): void {
    this.addSql(`
      drop index event_by_trend;
      drop index event_by_volume;
      drop index event_by_creation;
      drop index event_by_end;
      create index event_by_trend on event (status, volume_24h desc, volume desc, ranking_seed desc, created_at desc, id) include (is_shown, hidden_at, main_tag_id);
      create index event_by_volume on event (status, volume desc, ranking_seed desc, created_at desc, id) include (is_shown, hidden_at, main_tag_id);
      create index event_by_creation on event (status, created_at desc, id) include (is_shown, hidden_at, main_tag_id);
      create index event_by_end on event (status, end_date, id) include (is_shown, hidden_at, main_tag_id);
    `)
  }
}
