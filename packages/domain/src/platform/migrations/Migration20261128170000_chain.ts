import { Migration } from '@mikro-orm/migrations'

/** What a settler keeps of the chain. */
export class Migration20261128170000_chain extends Migration {
  override up(): void {
    this.addSql(`
      create schema if not exists "chain";
      create table "chain"."address" (
        "account" text not null,
        "asked_at" timestamptz(3) not null default now(),
        primary key ("account"));
      create table "chain"."arrival" (
        "id" uuid not null default uuidv7(),
        "account" text not null,
        "amount" bigint not null,
        "n" int null,
        "transaction" text null,
        "block_number" int null,
        "confirmations" int not null,
        "seen_at" timestamptz(3) not null default now(),
        primary key ("id"));
      create index arrival_by_account on chain.arrival (account);
      create table "chain"."cursor" (
        "name" text not null,
        "value" jsonb not null,
        primary key ("name"));
      create table "chain"."deposit" (
        "n" int not null,
        "account" text not null,
        "sender" text not null,
        "amount" bigint not null,
        "total" bigint not null,
        "block_number" int not null,
        "block_hash" text not null,
        "transaction" text not null,
        "backs" text null,
        "credited_at" timestamptz(3) not null default now(),
        primary key ("n"));
      alter table "chain"."deposit" add constraint "deposit_backs" unique ("backs");
      create index deposit_by_account on chain.deposit (account, n desc);
      create table "chain"."intent" (
        "nonce" int not null,
        "purpose" jsonb not null,
        "to" text not null,
        "data" text not null,
        "gas" int not null,
        "versions" jsonb not null,
        "mined" boolean not null default false,
        "booked_number" int null,
        "booked_hash" text null,
        "created_at" timestamptz(3) not null default now(),
        primary key ("nonce"));
      create index intent_to_book on chain.intent (nonce) where booked_number is null;
      create index intent_by_booking on chain.intent (booked_number desc, nonce desc) where booked_number is not null;
      create index intent_by_purpose on chain.intent using gin (purpose jsonb_path_ops);
      create table "chain"."root" (
        "n" int not null,
        "hash" text not null,
        "root" text not null,
        "seq" bigint not null,
        "custody" bigint not null,
        "transaction" text not null,
        "block_number" int not null,
        "posted_at" timestamptz(3) not null,
        primary key ("n"));
      create index root_by_hash on chain.root (hash);
      create table "chain"."status" (
        "id" smallint not null,
        "status" jsonb not null,
        "updated_at" timestamptz(3) not null default now(),
        primary key ("id"));
      create table "chain"."wallet" (
        "owner" text not null,
        "signature" text not null,
        "asked_at" timestamptz(3) not null default now(),
        "state" text not null default 'asked',
        "transaction" text null,
        primary key ("owner"));
      create index wallet_to_deploy on chain.wallet (asked_at) where state in ('asked', 'sent');
      alter table "chain"."address" add constraint "address_account" check (account ~ '^0x[0-9a-f]{40}$');
      alter table "chain"."arrival" add constraint "arrival_amount" check (amount > 0 and confirmations >= 0);
      alter table "chain"."deposit" add constraint "deposit_number" check (n > 0);
      alter table "chain"."deposit" add constraint "deposit_amount" check (amount > 0 and total >= amount);
      alter table "chain"."deposit" add constraint "deposit_addresses" check (account ~ '^0x[0-9a-f]{40}$' and sender ~ '^0x[0-9a-f]{40}$');
      alter table "chain"."intent" add constraint "intent_nonce" check (nonce >= 0 and gas > 0);
      alter table "chain"."intent" add constraint "intent_booked" check ((booked_number is null) = (booked_hash is null));
      alter table "chain"."root" add constraint "root_number" check (n > 0 and custody >= 0);
      alter table "chain"."status" add constraint "status_only_one" check (id = 1);
      alter table "chain"."wallet" add constraint "chain_wallet_owner" check (owner ~ '^0x[0-9a-f]{40}$');
      alter table "chain"."wallet" add constraint "wallet_state_check" check ("state" in ('asked', 'sent', 'deployed', 'failed'));
    `)
  }
}
