import { Migration } from '@mikro-orm/migrations';

export class Migration20261120105104_initial extends Migration {

  override name = 'Migration20261120105104_initial';

  override up(): void | Promise<void> {
    this.addSql(`create table "api_key" ("key" uuid not null, "owner" bytea not null, "name" text not null default '', "scope" text not null, "nonce" text not null, "generation" int not null, "deployment" bytea null, "passphrase_hash" bytea not null, "created_at" timestamptz not null default now(), "last_used" timestamptz null, "revoked_at" timestamptz null, primary key ("key"));`);
    this.addSql(`alter table "api_key" add constraint "api_key_identity" unique ("owner", "nonce", "generation");`);
    this.addSql(`alter table "api_key" add constraint "api_key_owner_length" check (octet_length(owner) = 20);`);
    this.addSql(`alter table "api_key" add constraint "api_key_deployment_length" check (deployment is null or octet_length(deployment) = 20);`);
    this.addSql(`alter table "api_key" add constraint "api_key_scope" check (scope in ('read', 'trade', 'operator', 'venue'));`);
    this.addSql(`alter table "api_key" add constraint "api_key_name_length" check (length(name) <= 64);`);
    this.addSql(`alter table "api_key" add constraint "api_key_nonce_form" check (nonce ~ '^(0|[1-9][0-9]{0,77})\$');`);
    this.addSql(`alter table "api_key" add constraint "api_key_generation" check (generation >= 0);`);
    this.addSql(`alter table "api_key" add constraint "api_key_passphrase_hash_length" check (octet_length(passphrase_hash) = 32);`);

    this.addSql(`create table "condition_change" ("stream" text not null, "seq" bigint not null, "n" int not null, "at" bigint not null, "condition_id" bytea not null, "change" text not null, "mode" text not null, "grid" smallint not null, "weight" smallint null, primary key ("stream", "seq", "n"));`);
    this.addSql(`create index condition_change_by_condition on condition_change (stream, condition_id, seq, n);`);
    this.addSql(`alter table "condition_change" add constraint "condition_change_ids" check (octet_length(condition_id) = 32);`);
    this.addSql(`alter table "condition_change" add constraint "condition_change_weight" check ((change = 'resolved') <= (weight is not null) and (weight is null or weight between 0 and 10000));`);
    this.addSql(`alter table "condition_change" add constraint "condition_change_change_check" check ("change" in ('registered', 'mode', 'grid', 'fee', 'resolved'));`);
    this.addSql(`alter table "condition_change" add constraint "condition_change_mode_check" check ("mode" in ('open', 'paused', 'cancel_only', 'closed', 'resolved'));`);

    this.addSql(`create table "condition_metadata" ("id" serial primary key, "condition_id" bytea not null, "creator" bytea not null, "record" jsonb not null, "content" bytea not null);`);
    this.addSql(`alter table "condition_metadata" add constraint "condition_metadata_condition_id_unique" unique ("condition_id");`);
    this.addSql(`alter table "condition_metadata" add constraint "condition_metadata_condition_length" check (octet_length(condition_id) = 32);`);
    this.addSql(`alter table "condition_metadata" add constraint "condition_metadata_creator_length" check (octet_length(creator) = 20);`);
    this.addSql(`alter table "condition_metadata" add constraint "condition_metadata_content_length" check (octet_length(content) = 32);`);

    this.addSql(`create table "condition_stats" ("stream" text not null, "condition_id" bytea not null, "volume" bigint not null default '0', "trades" bigint not null default '0', "yes_lots" bigint not null default '0', "no_lots" bigint not null default '0', "last_price" smallint null, "last_at" bigint null, "weight" smallint null, primary key ("stream", "condition_id"));`);
    this.addSql(`alter table "condition_stats" add constraint "condition_stats_condition" check (octet_length(condition_id) = 32);`);
    this.addSql(`alter table "condition_stats" add constraint "condition_stats_never_negative" check (volume >= 0 and trades >= 0 and yes_lots >= 0 and no_lots >= 0);`);
    this.addSql(`alter table "condition_stats" add constraint "condition_stats_last" check ((last_price is null) = (last_at is null) and (last_price is null or last_price between 1 and 9999));`);
    this.addSql(`alter table "condition_stats" add constraint "condition_stats_weight" check (weight is null or weight between 0 and 10000);`);

    this.addSql(`create table "fill" ("stream" text not null, "seq" bigint not null, "n" int not null, "at" bigint not null, "trade_n" int not null, "condition_id" bytea not null, "kind" text not null, "lots" bigint not null, "fee" bigint not null, "taker_order_id" bytea not null, "taker_account" bytea not null, "taker_outcome" smallint not null, "taker_side" text not null, "taker_price" smallint not null, "maker_order_id" bytea not null, "maker_account" bytea not null, "maker_outcome" smallint not null, "maker_side" text not null, "maker_price" smallint not null, primary key ("stream", "seq", "n"));`);
    this.addSql(`create index fill_by_maker on fill (stream, maker_account, seq desc, n desc);`);
    this.addSql(`create index fill_by_maker_order on fill (stream, maker_order_id);`);
    this.addSql(`alter table "fill" add constraint "fill_ids" check (octet_length(condition_id) = 32 and octet_length(taker_order_id) = 32 and octet_length(maker_order_id) = 32);`);
    this.addSql(`alter table "fill" add constraint "fill_accounts" check (octet_length(taker_account) = 20 and octet_length(maker_account) = 20);`);
    this.addSql(`alter table "fill" add constraint "fill_amounts" check (lots >= 1 and fee >= 0 and n >= 1 and trade_n between 1 and n);`);
    this.addSql(`alter table "fill" add constraint "fill_kind" check (case kind
        when 'direct' then taker_outcome = maker_outcome and taker_side <> maker_side and taker_price = maker_price
        when 'mint' then taker_outcome <> maker_outcome and taker_side = 'BUY' and maker_side = 'BUY' and taker_price + maker_price = 10000
        else taker_outcome <> maker_outcome and taker_side = 'SELL' and maker_side = 'SELL' and taker_price + maker_price = 10000 end);`);
    this.addSql(`alter table "fill" add constraint "fill_prices" check (taker_price between 1 and 9999 and maker_price between 1 and 9999);`);
    this.addSql(`alter table "fill" add constraint "fill_kind_check" check ("kind" in ('direct', 'mint', 'merge'));`);
    this.addSql(`alter table "fill" add constraint "fill_taker_side_check" check ("taker_side" in ('BUY', 'SELL'));`);
    this.addSql(`alter table "fill" add constraint "fill_maker_side_check" check ("maker_side" in ('BUY', 'SELL'));`);

    this.addSql(`create table "journal" ("stream" text not null, "first_seq" bigint not null, "last_seq" bigint not null, "timeline" int not null, "epoch" bigint not null, "at" bigint not null, "rules" int not null, "applied_through" bigint not null, "digest" text not null, "commands" bytea not null, "checksum" bytea not null, "previous_checksum" bytea not null, primary key ("stream", "first_seq"));`);
    this.addSql(`create index journal_by_time on journal (stream, at, first_seq) include (last_seq);`);
    this.addSql(`alter table "journal" add constraint "journal_positions" check (first_seq >= 1 and last_seq >= first_seq and applied_through >= 0 and applied_through < first_seq);`);
    this.addSql(`alter table "journal" add constraint "journal_counters" check (timeline >= 1 and epoch >= 1 and rules >= 1 and at > 0);`);
    this.addSql(`alter table "journal" add constraint "journal_has_commands" check (octet_length(commands) > 0);`);
    this.addSql(`alter table "journal" add constraint "journal_digest_form" check (digest ~ '^[0-9a-f]{16}\$');`);
    this.addSql(`alter table "journal" add constraint "journal_checksum_length" check (octet_length(checksum) = 32 and octet_length(previous_checksum) = 32);`);

    this.addSql(`create table "lease" ("stream" text not null, "timeline" int not null default 1, "epoch" bigint not null, "backend_pid" int not null, "holder" text not null, "verified_at" timestamptz(3) not null, primary key ("stream"));`);
    this.addSql(`alter table "lease" add constraint "lease_counters" check (epoch >= 1 and timeline >= 1);`);

    this.addSql(`create table "ledger_entry" ("stream" text not null, "seq" bigint not null, "n" int not null, "at" bigint not null, "account" bytea not null, "condition_id" bytea null, "outcome" smallint null, "delta" bigint not null, "balance" bigint not null, "reason" text not null, primary key ("stream", "seq", "n"));`);
    this.addSql(`create index ledger_entry_by_account on ledger_entry (stream, account, seq desc, n desc);`);
    this.addSql(`alter table "ledger_entry" add constraint "ledger_entry_account" check (octet_length(account) = 20);`);
    this.addSql(`alter table "ledger_entry" add constraint "ledger_entry_asset" check ((condition_id is null) = (outcome is null) and (outcome is null or outcome in (0, 1) and octet_length(condition_id) = 32));`);
    this.addSql(`alter table "ledger_entry" add constraint "ledger_entry_never_negative" check (balance >= 0);`);
    this.addSql(`alter table "ledger_entry" add constraint "ledger_entry_reason_check" check ("reason" in ('deposit', 'withdraw', 'withdraw_settled', 'withdraw_returned', 'trade', 'fee', 'rebate', 'affiliate', 'split', 'merge', 'convert', 'redeem'));`);

    this.addSql(`create table "order_change" ("stream" text not null, "seq" bigint not null, "n" int not null, "at" bigint not null, "order_id" bytea not null, "kind" text not null, "lots" bigint not null, "state" text null, "reason" text null, primary key ("stream", "seq", "n"));`);
    this.addSql(`alter table "order_change" add constraint "order_change_ids" check (octet_length(order_id) = 32);`);
    this.addSql(`alter table "order_change" add constraint "order_change_kind" check ((kind = 'ended') = (state is not null) and lots >= 0);`);
    this.addSql(`alter table "order_change" add constraint "order_change_kind_check" check ("kind" in ('reduced', 'ended'));`);
    this.addSql(`alter table "order_change" add constraint "order_change_state_check" check ("state" in ('live', 'partially_filled', 'filled', 'cancelled', 'expired', 'rejected'));`);

    this.addSql(`create table "order_state" ("stream" text not null, "order_id" bytea not null, "lots" bigint not null, "matched" bigint not null, "matched_cost" bigint not null, "state" text not null, "reason" text null, "seq" bigint not null, "ended_at" bigint null, primary key ("stream", "order_id"));`);
    this.addSql(`alter table "order_state" add constraint "order_state_ids" check (octet_length(order_id) = 32);`);
    this.addSql(`alter table "order_state" add constraint "order_state_not_overfilled" check (matched between 0 and lots and matched_cost >= 0);`);
    this.addSql(`alter table "order_state" add constraint "order_state_ended_has_time" check ((state in ('live', 'partially_filled')) = (ended_at is null));`);
    this.addSql(`alter table "order_state" add constraint "order_state_state_check" check ("state" in ('live', 'partially_filled', 'filled', 'cancelled', 'expired', 'rejected'));`);

    this.addSql(`create table "placement" ("stream" text not null, "seq" bigint not null, "n" int not null, "at" bigint not null, "order_id" bytea not null, "account" bytea not null, "condition_id" bytea not null, "outcome" smallint not null, "side" text not null, "order_type" text not null, "price" smallint not null, "lots" bigint not null, "expiration" bigint not null, "post_only" boolean not null, "first_matched" bigint not null, "first_cost" bigint not null, "first_fee" bigint not null, "first_fills" int not null, "first_state" text not null, "client_order_id" text null, "annex" bytea not null, primary key ("stream", "seq", "n"));`);
    this.addSql(`create index placement_by_account on placement (stream, account, seq desc, n desc);`);
    this.addSql(`create index placement_by_client_order_id on placement (stream, account, client_order_id) where client_order_id is not null;`);
    this.addSql(`alter table "placement" add constraint "placement_once" unique ("stream", "order_id");`);
    this.addSql(`alter table "placement" add constraint "placement_ids" check (octet_length(order_id) = 32 and octet_length(condition_id) = 32);`);
    this.addSql(`alter table "placement" add constraint "placement_account" check (octet_length(account) = 20);`);
    this.addSql(`alter table "placement" add constraint "placement_terms" check (outcome in (0, 1) and price between 1 and 9999 and lots >= 0 and expiration >= 0);`);
    this.addSql(`alter table "placement" add constraint "placement_first" check (first_matched between 0 and lots and first_cost >= 0 and first_fee >= 0 and first_fills >= 0);`);
    this.addSql(`alter table "placement" add constraint "placement_annex_length" check (octet_length(annex) <= 160);`);
    this.addSql(`alter table "placement" add constraint "placement_side_check" check ("side" in ('BUY', 'SELL'));`);
    this.addSql(`alter table "placement" add constraint "placement_order_type_check" check ("order_type" in ('GTC', 'GTD', 'FOK', 'FAK'));`);
    this.addSql(`alter table "placement" add constraint "placement_first_state_check" check ("first_state" in ('live', 'partially_filled', 'filled', 'cancelled', 'expired', 'rejected'));`);

    this.addSql(`create table "position" ("stream" text not null, "account" bytea not null, "condition_id" bytea not null, "outcome" smallint not null, "lots" bigint not null default '0', "bought_lots" bigint not null default '0', "bought_cost" bigint not null default '0', "sold_lots" bigint not null default '0', "sold_cost" bigint not null default '0', "redeemed_lots" bigint not null default '0', "seq" bigint not null, primary key ("stream", "account", "condition_id", "outcome"));`);
    this.addSql(`create index position_by_holder on position (stream, condition_id, outcome, lots desc) where lots > 0;`);
    this.addSql(`alter table "position" add constraint "position_key" check (octet_length(account) = 20 and octet_length(condition_id) = 32 and outcome in (0, 1));`);
    this.addSql(`alter table "position" add constraint "position_never_negative" check (lots >= 0 and bought_lots >= 0 and bought_cost >= 0 and sold_lots >= 0 and sold_cost >= 0 and redeemed_lots >= 0);`);

    this.addSql(`create table "price_point" ("stream" text not null, "condition_id" bytea not null, "minute" bigint not null, "open" smallint not null, "high" smallint not null, "low" smallint not null, "close" smallint not null, "lots" bigint not null, "volume" bigint not null, "trades" int not null, primary key ("stream", "condition_id", "minute"));`);
    this.addSql(`alter table "price_point" add constraint "price_point_condition" check (octet_length(condition_id) = 32);`);
    this.addSql(`alter table "price_point" add constraint "price_point_whole_minute" check (minute % 60000 = 0);`);
    this.addSql(`alter table "price_point" add constraint "price_point_order" check (low between 1 and 9999 and high between 1 and 9999 and open between low and high and close between low and high);`);
    this.addSql(`alter table "price_point" add constraint "price_point_amounts" check (lots >= 1 and volume >= 1 and trades >= 1);`);

    this.addSql(`create table "projection" ("stream" text not null, "projected_seq" bigint not null, "folded_seq" bigint not null, "at" bigint not null, "checksum" bytea not null, primary key ("stream"));`);
    this.addSql(`alter table "projection" add constraint "projection_position" check (projected_seq >= 0 and folded_seq >= 0 and folded_seq <= projected_seq and at >= 0);`);
    this.addSql(`alter table "projection" add constraint "projection_checksum_length" check (octet_length(checksum) = 32);`);

    this.addSql(`create table "snapshot" ("stream" text not null, "seq" bigint not null, "at" bigint not null, "rules" int not null, "checksum" bytea not null, "hash" bytea not null, "size" bigint not null, "chunks" int not null, "created_at" timestamptz(3) not null default now(), primary key ("stream", "seq"));`);
    this.addSql(`alter table "snapshot" add constraint "snapshot_positions" check (seq >= 1 and at > 0 and rules >= 1);`);
    this.addSql(`alter table "snapshot" add constraint "snapshot_hash_length" check (octet_length(checksum) = 32 and octet_length(hash) = 32);`);
    this.addSql(`alter table "snapshot" add constraint "snapshot_not_empty" check (size > 0 and chunks > 0);`);

    this.addSql(`create table "snapshot_chunk" ("stream" text not null, "seq" bigint not null, "n" int not null, "bytes" bytea not null, primary key ("stream", "seq", "n"));`);
    this.addSql(`alter table "snapshot_chunk" add constraint "snapshot_chunk_not_empty" check (n >= 0 and octet_length(bytes) > 0);`);

    this.addSql(`create table "trade" ("stream" text not null, "seq" bigint not null, "n" int not null, "at" bigint not null, "condition_id" bytea not null, "taker_order_id" bytea not null, "taker_account" bytea not null, "outcome" smallint not null, "side" text not null, "price" smallint not null, "lots" bigint not null, "fee" bigint not null, "fee_bps" smallint not null, primary key ("stream", "seq", "n"));`);
    this.addSql(`create index trade_by_taker on trade (stream, taker_account, seq desc, n desc);`);
    this.addSql(`create index trade_by_condition on trade (stream, condition_id, seq desc, n desc);`);
    this.addSql(`create index trade_by_taker_order on trade (stream, taker_order_id);`);
    this.addSql(`alter table "trade" add constraint "trade_ids" check (octet_length(condition_id) = 32 and octet_length(taker_order_id) = 32);`);
    this.addSql(`alter table "trade" add constraint "trade_account" check (octet_length(taker_account) = 20);`);
    this.addSql(`alter table "trade" add constraint "trade_amounts" check (outcome in (0, 1) and price between 1 and 9999 and lots >= 1 and fee >= 0 and fee_bps >= 0);`);
    this.addSql(`alter table "trade" add constraint "trade_side_check" check ("side" in ('BUY', 'SELL'));`);

    this.addSql(`create table "transfer" ("stream" text not null, "seq" bigint not null, "n" int not null, "at" bigint not null, "ref" bytea not null, "kind" text not null, "account" bytea null, "amount" bigint null, primary key ("stream", "seq", "n"));`);
    this.addSql(`create unique index transfer_begins_once on transfer (stream, ref) where kind in ('deposit', 'withdrawal');`);
    this.addSql(`create unique index transfer_ends_once on transfer (stream, ref) where kind in ('settled', 'returned');`);
    this.addSql(`create index transfer_by_account on transfer (stream, account, seq desc, n desc);`);
    this.addSql(`alter table "transfer" add constraint "transfer_ref" check (octet_length(ref) = 32);`);
    this.addSql(`alter table "transfer" add constraint "transfer_begins_with_amount" check ((kind in ('deposit', 'withdrawal')) = (amount is not null and account is not null));`);
    this.addSql(`alter table "transfer" add constraint "transfer_amount" check (amount >= 1 and octet_length(account) = 20);`);
    this.addSql(`alter table "transfer" add constraint "transfer_kind_check" check ("kind" in ('deposit', 'withdrawal', 'settled', 'returned'));`);

    this.addSql(`create table "wallet" ("address" bytea not null, "owner" bytea not null, "signature_type" smallint not null, "created_at" timestamptz(3) not null default now(), primary key ("address"));`);
    this.addSql(`create index "wallet_owner_index" on "wallet" ("owner");`);
    this.addSql(`alter table "wallet" add constraint "wallet_addresses" check (octet_length(address) = 20 and octet_length(owner) = 20 and address <> owner);`);
    this.addSql(`alter table "wallet" add constraint "wallet_signature_type" check (signature_type between 1 and 3);`);

    this.addSql(`alter table "snapshot_chunk" add constraint "snapshot_chunk_stream_seq_foreign" foreign key ("stream", "seq") references "snapshot" ("stream", "seq") on update cascade on delete cascade;`);

    // Read and written whole: compression would only cost time, and neither column is ever filtered on.
    this.addSql(`alter table "journal" alter column "commands" set storage external;`);
    this.addSql(`alter table "snapshot_chunk" alter column "bytes" set storage external;`);
    // Updated in place again and again.
    this.addSql(`alter table "order_state" set (fillfactor = 70);`);
    this.addSql(`alter table "condition_stats" set (fillfactor = 50);`);
    this.addSql(`alter table "position" set (fillfactor = 70);`);
  }

}
