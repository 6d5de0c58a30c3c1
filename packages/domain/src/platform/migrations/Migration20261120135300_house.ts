import { Migration } from '@mikro-orm/migrations'

/** Themes; what admins hide and pause; and where the log is searched by what something was done to. */
export class Migration20261120135300_house extends Migration {
  override up(): void {
    this.addSql(`
      create table "theme" (
        "id" uuid not null default uuidv7(),
        "name" text not null,
        "tokens" jsonb not null,
        "version" int null,
        "activated_at" timestamptz(3) null,
        "actor_id" uuid null,
        "created_at" timestamptz(3) not null,
        "updated_at" timestamptz(3) not null,
        primary key ("id"));
      alter table "theme" add constraint "theme_version_unique" unique ("version");
      create index "theme_activated_at_index" on "theme" ("activated_at");
      create index "theme_actor_id_index" on "theme" ("actor_id");
      alter table "tag" add "is_hidden" boolean not null default false, add "hide_events" boolean not null default false, add "created_at" timestamptz(3) not null default now(), add "updated_at" timestamptz(3) not null default now();
      alter table "event" add "hidden_at" timestamptz(3) null, add "paused_at" timestamptz(3) null;
      create index audit_log_by_target on audit_log ((details ->> 'target'), position desc);
      alter table "theme" add constraint "theme_actor_id_foreign" foreign key ("actor_id") references "users" ("id") on delete set null;
      alter table "theme" add constraint "theme_name" check (length(name) >= 1 and length(name) <= 60);
      alter table "theme" add constraint "theme_tokens" check (jsonb_typeof(tokens) = 'object' and octet_length(tokens::text) <= 8000);
      alter table "theme" add constraint "theme_version" check (version >= 1 and (activated_at is null or version is not null));
    `)
  }
}
