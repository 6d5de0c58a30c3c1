import { Migration } from '@mikro-orm/migrations'

/** What an order by budget may spend, so that it can be told what was left. Orders from before count as orders by lots. */
export class Migration20261128002500_placement_budget extends Migration {
  override up(): void {
    this.addSql(`alter table "placement" add "budget" bigint not null default '0'`)
  }
}
