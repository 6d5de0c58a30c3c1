import { Migration } from '@mikro-orm/migrations'

/** Members, their wallets and sessions, sign-in and the second factor, and what was done to accounts. */
export class Migration20261120112943_people extends Migration {
  override up(): void {
    this.addSql(`
      create table "sign_in_nonce" (
        "nonce" text not null,
        "browser_hash" bytea not null,
        "expires_at" timestamptz(3) not null,
        "used_at" timestamptz(3) null,
        primary key ("nonce"));
      create index "sign_in_nonce_expires_at_index" on "sign_in_nonce" ("expires_at");
      create table "users" (
        "id" uuid not null default uuidv7(),
        "address" text not null,
        "username" text null,
        "email" text null,
        "email_verified" boolean not null default false,
        "image_url" text not null default '',
        "banned_at" timestamptz(3) null,
        "total_volume" bigint not null default '0',
        "total_trades" int not null default 0,
        "affiliate_code" text not null,
        "proxy_wallet_address" text null,
        "proxy_wallet_signature" text null,
        "proxy_wallet_status" text not null default 'not_started',
        "proxy_wallet_signed_at" timestamptz(3) null,
        "proxy_wallet_tx_hash" text null,
        "preferences" jsonb not null default '{}',
        "created_at" timestamptz(3) not null default now(),
        "updated_at" timestamptz(3) not null default now(),
        primary key ("id"));
      alter table "users" add constraint "users_address_unique" unique ("address");
      alter table "users" add constraint "users_affiliate_code_unique" unique ("affiliate_code");
      create unique index users_username_unique on users (lower(username));
      create index users_by_username on users using gin (username gin_trgm_ops);
      create index users_by_address on users using gin (address gin_trgm_ops);
      create table "two_factor" (
        "user_id" uuid not null,
        "secret" text not null,
        "confirmed_at" timestamptz(3) null,
        "last_step" bigint not null default '0',
        "failures" smallint not null default 0,
        "locks" smallint not null default 0,
        "locked_until" timestamptz(3) null,
        "created_at" timestamptz(3) not null default now(),
        primary key ("user_id"));
      create table "session" (
        "id" uuid not null default uuidv7(),
        "token_hash" bytea not null,
        "user_id" uuid not null,
        "created_at" timestamptz(3) not null,
        "last_seen_at" timestamptz(3) not null,
        "proven_at" timestamptz(3) not null,
        "user_agent" text not null,
        "client_address" text not null,
        primary key ("id"));
      alter table "session" add constraint "session_token_hash_unique" unique ("token_hash");
      create index "session_user_id_index" on "session" ("user_id");
      create table "recovery_code" (
        "user_id" uuid not null,
        "code_hash" bytea not null,
        primary key ("user_id", "code_hash"));
      create table "pending_second_factor" (
        "token_hash" bytea not null,
        "user_id" uuid not null,
        "expires_at" timestamptz(3) not null,
        primary key ("token_hash"));
      create index "pending_second_factor_user_id_index" on "pending_second_factor" ("user_id");
      create index "pending_second_factor_expires_at_index" on "pending_second_factor" ("expires_at");
      create table "audit_log" (
        "id" uuid not null default uuidv7(),
        "at" timestamptz(3) not null,
        "actor_id" uuid null,
        "subject_id" uuid null,
        "action" text not null,
        "client_address" text not null,
        "details" jsonb not null default '{}',
        primary key ("id"));
      create index "audit_log_actor_id_index" on "audit_log" ("actor_id");
      create index audit_log_by_subject on audit_log (subject_id, id desc);
      create table "wallet" (
        "address" text not null,
        "user_id" uuid not null,
        "kind" text not null default 'key',
        "chain_id" bigint not null,
        "is_primary" boolean not null default true,
        "created_at" timestamptz(3) not null default now(),
        primary key ("address"));
      create index "wallet_user_id_index" on "wallet" ("user_id");
      create unique index wallet_one_primary on wallet (user_id) where is_primary;
      alter table "sign_in_nonce" add constraint "sign_in_nonce_form" check (nonce ~ '^[A-Za-z0-9]{32}$');
      alter table "sign_in_nonce" add constraint "sign_in_nonce_browser_hash_length" check (octet_length(browser_hash) = 32);
      alter table "users" add constraint "users_address_form" check (address ~ '^0x[0-9a-f]{40}$');
      alter table "users" add constraint "users_username_form" check (username ~ '^[A-Za-z0-9_]{3,30}$');
      alter table "users" add constraint "users_email_form" check (email ~ '^[^@[:space:]]+@[^@[:space:]]+$' and length(email) <= 254);
      alter table "users" add constraint "users_verified_email_exists" check (not email_verified or email is not null);
      alter table "users" add constraint "users_affiliate_code_form" check (affiliate_code ~ '^[a-z0-9]{6,32}$');
      alter table "users" add constraint "users_statistics_not_negative" check (total_volume >= 0 and total_trades >= 0);
      alter table "users" add constraint "users_proxy_wallet_form" check (proxy_wallet_address ~ '^0x[0-9a-f]{40}$');
      alter table "users" add constraint "users_proxy_wallet_steps" check ((proxy_wallet_status = 'not_started') = (proxy_wallet_signature is null) and (proxy_wallet_signature is null) = (proxy_wallet_signed_at is null));
      alter table "users" add constraint "users_proxy_wallet_status_check" check ("proxy_wallet_status" in ('not_started', 'signed', 'deploying', 'deployed'));
      alter table "two_factor" add constraint "two_factor_user_id_foreign" foreign key ("user_id") references "users" ("id") on update cascade on delete cascade;
      alter table "two_factor" add constraint "two_factor_secret_is_sealed" check (secret ~ '^v1[.]');
      alter table "two_factor" add constraint "two_factor_counts" check (last_step >= 0 and failures >= 0 and failures <= 5 and locks >= 0);
      alter table "session" add constraint "session_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "session" add constraint "session_token_hash_length" check (octet_length(token_hash) = 32);
      alter table "session" add constraint "session_times" check (last_seen_at >= created_at and proven_at <= last_seen_at);
      alter table "session" add constraint "session_texts" check (length(user_agent) <= 300 and length(client_address) <= 64);
      alter table "recovery_code" add constraint "recovery_code_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "recovery_code" add constraint "recovery_code_hash_length" check (octet_length(code_hash) = 32);
      alter table "pending_second_factor" add constraint "pending_second_factor_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "pending_second_factor" add constraint "pending_second_factor_token_hash_length" check (octet_length(token_hash) = 32);
      alter table "audit_log" add constraint "audit_log_actor_id_foreign" foreign key ("actor_id") references "users" ("id") on delete set null;
      alter table "audit_log" add constraint "audit_log_subject_id_foreign" foreign key ("subject_id") references "users" ("id") on delete set null;
      alter table "audit_log" add constraint "audit_log_action_form" check (action ~ '^[a-z]+(_[a-z]+)*$');
      alter table "wallet" add constraint "wallet_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "wallet" add constraint "wallet_address_form" check (address ~ '^0x[0-9a-f]{40}$');
      alter table "wallet" add constraint "wallet_chain" check (chain_id > 0);
      alter table "wallet" add constraint "wallet_kind_check" check ("kind" in ('key', 'contract'));
    `)
  }
}
