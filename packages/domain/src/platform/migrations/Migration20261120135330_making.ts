import { Migration } from '@mikro-orm/migrations'

/** Events in the making, series of them, translations, and what the model was asked. */
export class Migration20261120135330_making extends Migration {
  override up(): void {
    this.addSql(`
      create table "translation" (
        "kind" text not null,
        "subject" uuid not null,
        "locale" text not null,
        "text" text not null,
        "by_person" boolean not null,
        "updated_at" timestamptz(3) not null,
        primary key ("kind", "subject", "locale"));
      create table "model_call" (
        "id" uuid not null default uuidv7(),
        "at" timestamptz(3) not null,
        "purpose" text not null,
        "model" text not null,
        "tokens" int not null,
        "cost" bigint not null,
        "actor_id" uuid null,
        primary key ("id"));
      create index "model_call_at_index" on "model_call" ("at");
      create index "model_call_actor_id_index" on "model_call" ("actor_id");
      create table "event_series" (
        "slug" text not null,
        "content" jsonb not null,
        "recurrence" text not null,
        "next_end" timestamptz(3) not null,
        "enabled" boolean not null default true,
        "actor_id" uuid null,
        "created_at" timestamptz(3) not null,
        "updated_at" timestamptz(3) not null,
        primary key ("slug"));
      create index "event_series_actor_id_index" on "event_series" ("actor_id");
      create table "event_draft" (
        "id" uuid not null default uuidv7(),
        "content" jsonb not null,
        "revision" int not null default 1,
        "state" text not null default 'draft',
        "problem" text not null default '',
        "event_id" uuid null,
        "actor_id" uuid null,
        "created_at" timestamptz(3) not null,
        "updated_at" timestamptz(3) not null,
        primary key ("id"));
      alter table "event_draft" add constraint "event_draft_event_id_unique" unique ("event_id");
      create index "event_draft_actor_id_index" on "event_draft" ("actor_id");
      create index "event_draft_updated_at_index" on "event_draft" ("updated_at");
      alter table "translation" add constraint "translation_locale" check (locale ~ '^[a-z]{2}$');
      alter table "translation" add constraint "translation_text" check (length(text) >= 1 and length(text) <= 400);
      alter table "translation" add constraint "translation_kind_check" check ("kind" in ('event', 'tag'));
      alter table "model_call" add constraint "model_call_actor_id_foreign" foreign key ("actor_id") references "users" ("id") on delete set null;
      alter table "model_call" add constraint "model_call_counts" check (cost >= 0 and tokens >= 0);
      alter table "event_series" add constraint "event_series_actor_id_foreign" foreign key ("actor_id") references "users" ("id") on delete set null;
      alter table "event_series" add constraint "event_series_slug_form" check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 150);
      alter table "event_series" add constraint "event_series_content" check (jsonb_typeof(content) = 'object' and octet_length(content::text) <= 200000);
      alter table "event_series" add constraint "event_series_recurrence_check" check ("recurrence" in ('daily', 'weekly', 'monthly'));
      alter table "event_draft" add constraint "event_draft_event_id_foreign" foreign key ("event_id") references "event" ("id") on delete set null;
      alter table "event_draft" add constraint "event_draft_actor_id_foreign" foreign key ("actor_id") references "users" ("id") on delete set null;
      alter table "event_draft" add constraint "event_draft_content" check (jsonb_typeof(content) = 'object' and octet_length(content::text) <= 200000);
      alter table "event_draft" add constraint "event_draft_revision" check (revision >= 1);
      alter table "event_draft" add constraint "event_draft_has_event" check ((state = 'draft') = (event_id is null));
      alter table "event_draft" add constraint "event_draft_state_check" check ("state" in ('draft', 'publishing', 'published'));
    `)
  }
}
