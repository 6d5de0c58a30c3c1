import { Migration } from '@mikro-orm/migrations'

/** What is converted in an event: it backs the shares of all its markets together. */
export class Migration20261123190500_event_interest extends Migration {
  override up(): void {
    this.addSql(`alter table "market" add "event_interest" bigint not null default '0'`)
    this.addSql('alter table "market" add constraint "market_event_interest" check (event_interest >= 0)')
  }
}
