import { Migration } from '@mikro-orm/migrations'

/** Which codes of an authenticator were used, where it was the latest alone: after the clock is set back, others before it are good. */
export class Migration20261127081000_used_steps extends Migration {
  override up(): void {
    this.addSql(`alter table "two_factor" add "used_steps" jsonb not null default '[]'`)
  }
}
