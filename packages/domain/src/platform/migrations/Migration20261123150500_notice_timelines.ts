import { Migration } from '@mikro-orm/migrations'

/** On which timeline of the exchange a member was told what happened: another one has other things at the same positions. */
export class Migration20261123150500_notice_timelines extends Migration {
  override up(): void {
    this.addSql('alter table "notice_cursor" add column "epoch" int null')
  }
}
