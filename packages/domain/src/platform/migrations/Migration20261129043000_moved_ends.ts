import { Migration } from '@mikro-orm/migrations'

/** Lets the end of a market move: a step of its history, and members who are to be notified of it. */
export class Migration20261129043000_moved_ends extends Migration {
  override up(): void {
    this.addSql('alter table settlement add column moved_at timestamptz(3) null')
    this.addSql('create index settlement_moved on settlement (market_condition_id) where moved_at is not null')
    this.addSql('alter table resolution_step drop constraint resolution_step_deadline')
    this.addSql(`
      alter table resolution_step add constraint resolution_step_deadline check (step in ('proposed', 'rescheduled') or deadline_at is null)`)
    this.addSql('alter table resolution_step drop constraint resolution_step_step_check')
    this.addSql(`
      alter table resolution_step add constraint resolution_step_step_check check (step in ('closed', 'proposed', 'disputed', 'cancelled',
        'confirmed', 'settled', 'paid', 'flagged', 'unflagged', 'paused', 'resumed', 'rescheduled'))`)
  }
}
