import { Migration } from '@mikro-orm/migrations'

/** Lists that processes keep, and whose events are in them. */
export class Migration20261120140500_lists extends Migration {
  override up(): void {
    this.addSql(`
      create table "cache_tag" (
        "tag" text not null,
        "generation" bigint not null,
        primary key ("tag"));
      alter table "cache_tag" add constraint "cache_tag_form" check (tag ~ '^[a-z-]{1,40}$');
      alter table "cache_tag" add constraint "cache_tag_generation" check (generation >= 1);
      alter table "event" add column "is_shown" boolean not null default true;
    `)
  }
}
