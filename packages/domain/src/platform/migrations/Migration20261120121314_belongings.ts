import { Migration } from '@mikro-orm/migrations'

/** Tables of a member's own data: trading credentials and the devices that may use them, bookmarks, notifications. */
export class Migration20261120121314_belongings extends Migration {
  override up(): void {
    this.addSql(`
      create table "trading_credential" (
        "user_id" uuid not null,
        "set" text not null,
        "address" text not null,
        "key" text not null,
        "secret" text not null,
        "passphrase" text not null,
        "updated_at" timestamptz(3) not null,
        "broken_at" timestamptz(3) null,
        primary key ("user_id", "set"));
      create table "trading_context" (
        "user_id" uuid not null,
        "slot" smallint not null,
        "context_hash" bytea not null,
        "created_at" timestamptz(3) not null,
        primary key ("user_id", "slot"));
      alter table "trading_context" add constraint "trading_context_hash_unique" unique ("user_id", "context_hash");
      create table "notification" (
        "id" uuid not null default uuidv7(),
        "user_id" uuid not null,
        "source" text not null,
        "category" text not null,
        "title" text not null,
        "description" text not null,
        "metadata" jsonb not null default '{}',
        "link_type" text not null default 'none',
        "link_target" text not null default '',
        "link_url" text not null default '',
        "read_at" timestamptz(3) null,
        "created_at" timestamptz(3) not null,
        primary key ("id"));
      create index notification_newest on notification (user_id, created_at desc, id desc);
      alter table "notification" add constraint "notification_source_unique" unique ("user_id", "source");
      create table "bookmark" (
        "user_id" uuid not null,
        "event_id" uuid not null,
        "created_at" timestamptz(3) not null default now(),
        primary key ("user_id", "event_id"));
      create index "bookmark_event_id_index" on "bookmark" ("event_id");
      alter table "trading_credential" add constraint "trading_credential_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "trading_credential" add constraint "trading_credential_address_form" check (address ~ '^0x[0-9a-f]{40}$');
      alter table "trading_credential" add constraint "trading_credential_is_sealed" check (secret ~ '^v1[.]' and passphrase ~ '^v1[.]');
      alter table "trading_credential" add constraint "trading_credential_key_length" check (length(key) >= 1 and length(key) <= 128);
      alter table "trading_credential" add constraint "trading_credential_set_check" check ("set" in ('clob', 'relayer'));
      alter table "trading_context" add constraint "trading_context_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "trading_context" add constraint "trading_context_slot" check (slot >= 0 and slot < 5);
      alter table "trading_context" add constraint "trading_context_hash_length" check (octet_length(context_hash) = 32);
      alter table "notification" add constraint "notification_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "notification" add constraint "notification_texts" check (length(title) >= 1 and length(title) <= 200 and length(description) <= 1000);
      alter table "notification" add constraint "notification_source_length" check (length(source) >= 1 and length(source) <= 200);
      alter table "notification" add constraint "notification_link" check (link_type <> 'none' or (link_target = '' and link_url = ''));
      alter table "notification" add constraint "notification_category_check" check ("category" in ('trade', 'system', 'general'));
      alter table "notification" add constraint "notification_link_type_check" check ("link_type" in ('none', 'market', 'event', 'order', 'settings', 'profile', 'external'));
      alter table "bookmark" add constraint "bookmark_user_id_foreign" foreign key ("user_id") references "users" ("id") on update cascade on delete cascade;
      alter table "bookmark" add constraint "bookmark_event_id_foreign" foreign key ("event_id") references "event" ("id") on update cascade on delete cascade;
    `)
  }
}
