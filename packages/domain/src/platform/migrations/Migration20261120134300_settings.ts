import { Migration } from '@mikro-orm/migrations'

/** What admins set about the site, version by version, and its secrets. */
export class Migration20261120134300_settings extends Migration {
  override up(): void {
    this.addSql(`
      create table "settings_version" (
        "group_name" text not null,
        "number" int not null,
        "values" jsonb not null,
        "actor_id" uuid null,
        "created_at" timestamptz(3) not null,
        primary key ("group_name", "number"));
      create index "settings_version_actor_id_index" on "settings_version" ("actor_id");
      create table "sealed_setting" (
        "name" text not null,
        "sealed" text not null,
        "changed_at" timestamptz(3) not null,
        primary key ("name"));
      alter table "settings_version" add constraint "settings_version_actor_id_foreign" foreign key ("actor_id") references "users" ("id") on delete set null;
      alter table "settings_version" add constraint "settings_version_form" check (group_name ~ '^[a-z]+$' and number >= 1);
      alter table "settings_version" add constraint "settings_version_values" check (jsonb_typeof(values) = 'object' and octet_length(values::text) <= 400000);
      alter table "sealed_setting" add constraint "sealed_setting_name" check (name ~ '^[a-z]+[.][a-zA-Z]+$');
      alter table "sealed_setting" add constraint "sealed_setting_is_sealed" check (sealed ~ '^v1[.]');
    `)
  }
}
