import { Migration } from '@mikro-orm/migrations'

/** What an admin said of a category stands whatever comes in later, and the slugs of merged categories still find something. */
export class Migration20261123151500_former_tags extends Migration {
  override up(): void {
    this.addSql('alter table "tag" add "arranged_at" timestamptz(3) null')
    // Only admins changed a category after it was made.
    this.addSql('update tag set arranged_at = updated_at where updated_at > created_at')
    this.addSql(`
      create table "former_tag" ("slug" text not null, "tag_id" uuid not null, primary key ("slug"));
      create index "former_tag_tag_id_index" on "former_tag" ("tag_id");
      alter table "former_tag" add constraint "former_tag_slug_form" check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80);
      alter table "former_tag" add constraint "former_tag_tag_id_foreign" foreign key ("tag_id") references "tag" ("id") on delete cascade;
    `)
  }
}
