import { Migration } from '@mikro-orm/migrations'

/** Adds withdrawals that wait until two admins have approved them. */
export class Migration20261129050000_approved_withdrawals extends Migration {
  override up(): void {
    this.addSql('alter table withdrawal add column needs_admins boolean not null default false')
  }
}
