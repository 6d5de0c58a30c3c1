import { Migration } from '@mikro-orm/migrations'

/** What a member was told of since is found by insertion, whenever it happened. */
export class Migration20261127080000_notifications_by_insertion extends Migration {
  override up(): void {
    this.addSql('create index notification_by_insertion on notification (user_id, id)')
  }
}
