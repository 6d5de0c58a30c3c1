import { Migration } from '@mikro-orm/migrations'

/** What happened on a deployment day by day. */
export class Migration20261120141750_site_days extends Migration {
  override up(): void {
    this.addSql(`
      create table "site_day" (
        "day" date not null,
        "volume" bigint not null default '0',
        "fees" bigint not null default '0',
        "trades" int not null default 0,
        "open_interest" bigint null,
        "members" int null,
        primary key ("day"));
      alter table "site_day" add constraint "site_day_not_negative" check (volume >= 0 and fees >= 0 and trades >= 0 and open_interest >= 0 and members >= 0);
    `)
  }
}
