import { Migration } from '@mikro-orm/migrations'

/** Admins beside those of the settings, and an audit log that is only added to and whose entries are chained. */
export class Migration20261120133718_admins extends Migration {
  override up(): void {
    this.addSql(`
      create table "admin_claim" (
        "token_hash" bytea not null,
        "expires_at" timestamptz(3) not null,
        "used_at" timestamptz(3) null,
        primary key ("token_hash"));
      create table "admin_wallet" (
        "address" text not null,
        "added_by_id" uuid null,
        "created_at" timestamptz(3) not null,
        primary key ("address"));
      create index "admin_wallet_added_by_id_index" on "admin_wallet" ("added_by_id");
      create table "audit_head" ("id" smallint not null, "position" int not null, "hash" bytea not null, primary key ("id"));
      alter table "audit_log" add "position" int null, add "hash" bytea null;
      alter table "audit_log" add constraint "audit_log_position_unique" unique ("position");
      create index audit_log_by_action on audit_log (action, position desc);
      alter table "audit_log" add constraint "audit_log_chained" check ((position is null) = (hash is null) and octet_length(hash) = 32);
      alter table "admin_claim" add constraint "admin_claim_token_hash_length" check (octet_length(token_hash) = 32);
      alter table "audit_head" add constraint "audit_head_only_one" check (id = 1 and position >= 0 and octet_length(hash) = 32);
      alter table "admin_wallet" add constraint "admin_wallet_added_by_id_foreign" foreign key ("added_by_id") references "users" ("id") on delete set null;
      alter table "admin_wallet" add constraint "admin_wallet_address_form" check (address ~ '^0x[0-9a-f]{40}$');
      insert into audit_head values (1, 0, sha256('augury audit log'));
    `)
    this.addSql(HASH)
    this.addSql(CHAIN)
    this.addSql(KEEP)
    // Entries from before the chain come first, in their order.
    this.addSql(`
      do $$
      declare entry audit_log;
      begin
        for entry in select * from audit_log order by id loop perform audit_chain(entry); end loop;
      end $$`)
    this.addSql(`
      create constraint trigger audit_log_chain after insert on audit_log deferrable initially deferred
        for each row execute function audit_chain_new();
      create trigger audit_log_keep before update or delete on audit_log for each row execute function audit_keep();
      create trigger audit_log_keep_all before truncate on audit_log for each statement execute function audit_keep();
    `)
  }
}

/** What an entry adds to the chain: all of it but the hash. */
const HASH = `
  create function audit_hash(before bytea, entry audit_log) returns bytea language sql stable as $$
    select sha256(before || convert_to(jsonb_build_object(
      'position', entry.position, 'id', entry.id, 'at', (extract(epoch from entry.at) * 1000)::bigint, 'actor', entry.actor_id,
      'subject', entry.subject_id, 'action', entry.action, 'client_address', entry.client_address, 'details', entry.details)::text, 'UTF8'))
  $$`

// At commit, so that the head is locked for a moment only and after every other lock of its transaction.
const CHAIN = `
  create function audit_chain(entry audit_log) returns void language plpgsql as $$
  declare head audit_head;
  begin
    select * into strict head from audit_head where id = 1 for update;
    entry.position := head.position + 1;
    entry.hash := audit_hash(head.hash, entry);
    update audit_log set position = entry.position, hash = entry.hash where id = entry.id;
    update audit_head set position = entry.position, hash = entry.hash where id = 1;
  end $$;
  create function audit_chain_new() returns trigger language plpgsql as $$
  begin
    perform audit_chain(new);
    return null;
  end $$`

/** The one change that an entry may see is its place in the chain. */
const KEEP = `
  create function audit_keep() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' then
      if old.position is null and new.position is not null
        and to_jsonb(new) - 'position' - 'hash' = to_jsonb(old) - 'position' - 'hash' then
        return new;
      end if;
    end if;
    raise exception 'the audit log is only added to' using errcode = 'insufficient_privilege';
  end $$`
