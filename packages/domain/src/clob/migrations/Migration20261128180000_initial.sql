create table api_key (
  key uuid not null,
  owner bytea not null,
  name text not null default '',
  scope text not null,
  nonce text not null,
  generation int not null,
  deployment bytea,
  passphrase_hash bytea not null,
  created_at timestamptz not null default now(),
  last_used timestamptz,
  revoked_at timestamptz,
  primary key (key),
  constraint api_key_deployment_length check (deployment is null or octet_length(deployment) = 20),
  constraint api_key_generation check (generation >= 0),
  constraint api_key_name_length check (length(name) <= 64),
  constraint api_key_nonce_form check (nonce ~ '^(0|[1-9][0-9]{0,77})$'),
  constraint api_key_owner_length check (octet_length(owner) = 20),
  constraint api_key_passphrase_hash_length check (octet_length(passphrase_hash) = 32),
  constraint api_key_scope check (scope in ('read', 'trade', 'operator', 'venue')),
  constraint api_key_identity unique (owner, nonce, generation)
);

create table condition_change (
  stream text not null,
  seq bigint not null,
  n int not null,
  at bigint not null,
  condition_id bytea not null,
  change text not null,
  mode text not null,
  grid smallint not null,
  weight smallint,
  event_id bytea,
  event_size int,
  primary key (stream, seq, n),
  constraint condition_change_change_check check (change in ('registered', 'mode', 'grid', 'fee', 'resolved')),
  constraint condition_change_event check (((event_id is null) = (event_size is null)) and (event_id is null or octet_length(event_id) = 32)),
  constraint condition_change_ids check (octet_length(condition_id) = 32),
  constraint condition_change_mode_check check (mode in ('open', 'paused', 'cancel_only', 'closed', 'resolved')),
  constraint condition_change_weight check (((change = 'resolved') <= (weight is not null)) and (weight is null or weight between 0 and 10000))
);
create index condition_change_by_condition on condition_change (stream, condition_id, seq, n);
create index condition_change_by_event on condition_change (stream, event_id) where event_id is not null;

create table condition_metadata (
  id serial,
  condition_id bytea not null,
  creator bytea not null,
  record jsonb not null,
  content bytea not null,
  primary key (id),
  constraint condition_metadata_condition_length check (octet_length(condition_id) = 32),
  constraint condition_metadata_content_length check (octet_length(content) = 32),
  constraint condition_metadata_creator_length check (octet_length(creator) = 20),
  constraint condition_metadata_condition_id_unique unique (condition_id)
);

create table condition_stats (
  stream text not null,
  condition_id bytea not null,
  volume bigint not null default '0',
  trades bigint not null default '0',
  yes_lots bigint not null default '0',
  no_lots bigint not null default '0',
  last_price smallint,
  last_at bigint,
  weight smallint,
  primary key (stream, condition_id),
  constraint condition_stats_condition check (octet_length(condition_id) = 32),
  constraint condition_stats_last check (((last_price is null) = (last_at is null)) and (last_price is null or last_price between 1 and 9999)),
  constraint condition_stats_never_negative check (volume >= 0 and trades >= 0 and yes_lots >= 0 and no_lots >= 0),
  constraint condition_stats_weight check (weight is null or weight between 0 and 10000)
) with (fillfactor=50);

create table fill (
  stream text not null,
  seq bigint not null,
  n int not null,
  at bigint not null,
  trade_n int not null,
  condition_id bytea not null,
  kind text not null,
  lots bigint not null,
  fee bigint not null,
  taker_order_id bytea not null,
  taker_account bytea not null,
  taker_outcome smallint not null,
  taker_side text not null,
  taker_price smallint not null,
  maker_order_id bytea not null,
  maker_account bytea not null,
  maker_outcome smallint not null,
  maker_side text not null,
  maker_price smallint not null,
  primary key (stream, seq, n),
  constraint fill_accounts check (octet_length(taker_account) = 20 and octet_length(maker_account) = 20),
  constraint fill_amounts check (lots >= 1 and fee >= 0 and n >= 1 and trade_n between 1 and n),
  constraint fill_ids check (octet_length(condition_id) = 32 and octet_length(taker_order_id) = 32 and octet_length(maker_order_id) = 32),
  constraint fill_kind check (
case kind
    when 'direct' then ((taker_outcome = maker_outcome) and (taker_side <> maker_side) and (taker_price = maker_price))
    when 'mint' then ((taker_outcome <> maker_outcome) and (taker_side = 'BUY') and (maker_side = 'BUY') and ((taker_price + maker_price) = 10000))
    else ((taker_outcome <> maker_outcome) and (taker_side = 'SELL') and (maker_side = 'SELL') and ((taker_price + maker_price) = 10000))
end),
  constraint fill_kind_check check (kind in ('direct', 'mint', 'merge')),
  constraint fill_maker_side_check check (maker_side in ('BUY', 'SELL')),
  constraint fill_prices check (taker_price between 1 and 9999 and maker_price between 1 and 9999),
  constraint fill_taker_side_check check (taker_side in ('BUY', 'SELL'))
);
create index fill_by_maker on fill (maker_account, seq desc, n desc);
create index fill_by_maker_order on fill (maker_order_id);

create table journal (
  stream text not null,
  first_seq bigint not null,
  last_seq bigint not null,
  timeline int not null,
  epoch bigint not null,
  at bigint not null,
  rules int not null,
  applied_through bigint not null,
  digest text not null,
  commands bytea storage external not null,
  checksum bytea not null,
  previous_checksum bytea not null,
  primary key (stream, first_seq),
  constraint journal_checksum_length check (octet_length(checksum) = 32 and octet_length(previous_checksum) = 32),
  constraint journal_counters check (timeline >= 1 and epoch >= 1 and rules >= 1 and at > 0),
  constraint journal_digest_form check (digest ~ '^[0-9a-f]{16}$'),
  constraint journal_has_commands check (octet_length(commands) > 0),
  constraint journal_positions check (first_seq >= 1 and last_seq >= first_seq and applied_through >= 0 and applied_through < first_seq)
);
create index journal_by_time on journal (stream, at, first_seq) include (last_seq);

create table lease (
  stream text not null,
  timeline int not null default 1,
  epoch bigint not null,
  backend_pid int not null,
  holder text not null,
  verified_at timestamptz(3) not null,
  primary key (stream),
  constraint lease_counters check (epoch >= 1 and timeline >= 1)
);

create table ledger_entry (
  stream text not null,
  seq bigint not null,
  n int not null,
  at bigint not null,
  account bytea not null,
  condition_id bytea,
  outcome smallint,
  delta bigint not null,
  balance bigint not null,
  reason text not null,
  primary key (stream, seq, n),
  constraint ledger_entry_account check (octet_length(account) = 20),
  constraint ledger_entry_asset check (((condition_id is null) = (outcome is null)) and (outcome is null or (outcome in (0, 1) and octet_length(condition_id) = 32))),
  constraint ledger_entry_never_negative check (balance >= 0),
  constraint ledger_entry_reason_check check (reason in ('deposit', 'withdraw', 'withdraw_settled', 'withdraw_returned', 'trade', 'fee', 'rebate', 'affiliate', 'split', 'merge', 'convert', 'redeem'))
);
create index ledger_entry_affiliate on ledger_entry (stream, seq) where reason = 'affiliate';
create index ledger_entry_by_account on ledger_entry (account, seq desc, n desc);
create index ledger_entry_converted on ledger_entry (stream, seq) where reason = 'convert';
create index ledger_entry_other on ledger_entry (stream, seq) where reason in ('split', 'merge', 'convert', 'redeem', 'fee', 'rebate', 'affiliate');

create table order_change (
  stream text not null,
  seq bigint not null,
  n int not null,
  at bigint not null,
  order_id bytea not null,
  kind text not null,
  lots bigint not null,
  state text,
  reason text,
  account bytea not null,
  primary key (stream, seq, n),
  constraint order_change_account check (octet_length(account) = 20),
  constraint order_change_ids check (octet_length(order_id) = 32),
  constraint order_change_kind check (((kind = 'ended') = (state is not null)) and lots >= 0),
  constraint order_change_kind_check check (kind in ('reduced', 'ended')),
  constraint order_change_state_check check (state in ('live', 'partially_filled', 'filled', 'cancelled', 'expired', 'rejected'))
);
create index order_change_by_account on order_change (account, seq, n);
create index order_change_sizes on order_change (stream, order_id, seq, n) where kind = 'reduced';

create table order_state (
  stream text not null,
  order_id bytea not null,
  lots bigint not null,
  matched bigint not null,
  matched_cost bigint not null,
  state text not null,
  reason text,
  seq bigint not null,
  ended_at bigint,
  primary key (stream, order_id),
  constraint order_state_ended_has_time check ((state in ('live', 'partially_filled')) = (ended_at is null)),
  constraint order_state_ids check (octet_length(order_id) = 32),
  constraint order_state_not_overfilled check (matched between 0 and lots and matched_cost >= 0),
  constraint order_state_state_check check (state in ('live', 'partially_filled', 'filled', 'cancelled', 'expired', 'rejected'))
) with (fillfactor=70);

create table placement (
  stream text not null,
  seq bigint not null,
  n int not null,
  at bigint not null,
  order_id bytea not null,
  account bytea not null,
  condition_id bytea not null,
  outcome smallint not null,
  side text not null,
  order_type text not null,
  price smallint not null,
  lots bigint not null,
  expiration bigint not null,
  post_only boolean not null,
  first_matched bigint not null,
  first_cost bigint not null,
  first_fee bigint not null,
  first_fills int not null,
  first_state text not null,
  client_order_id text,
  annex bytea not null,
  budget bigint not null default '0',
  primary key (stream, seq, n),
  constraint placement_account check (octet_length(account) = 20),
  constraint placement_annex_length check (octet_length(annex) <= 160),
  constraint placement_first check (first_matched between 0 and lots and first_cost >= 0 and first_fee >= 0 and first_fills >= 0),
  constraint placement_first_state_check check (first_state in ('live', 'partially_filled', 'filled', 'cancelled', 'expired', 'rejected')),
  constraint placement_ids check (octet_length(order_id) = 32 and octet_length(condition_id) = 32),
  constraint placement_order_type_check check (order_type in ('GTC', 'GTD', 'FOK', 'FAK')),
  constraint placement_side_check check (side in ('BUY', 'SELL')),
  constraint placement_terms check (outcome in (0, 1) and price between 1 and 9999 and lots >= 0 and expiration >= 0),
  constraint placement_once unique (stream, order_id)
);
create index placement_by_account on placement (account, seq desc, n desc);
create index placement_by_client_order_id on placement (stream, account, client_order_id) where client_order_id is not null;

create table position (
  stream text not null,
  account bytea not null,
  condition_id bytea not null,
  outcome smallint not null,
  lots bigint not null default '0',
  bought_lots bigint not null default '0',
  bought_cost bigint not null default '0',
  sold_lots bigint not null default '0',
  sold_cost bigint not null default '0',
  redeemed_lots bigint not null default '0',
  seq bigint not null,
  converted_lots bigint not null default 0,
  converted_cost bigint not null default 0,
  merged_lots bigint not null default 0,
  held_cost bigint not null default 0,
  split_cost bigint not null default '0',
  merged_cost bigint not null default '0',
  gone_cost bigint not null default '0',
  realised bigint not null default '0',
  fees bigint not null default '0',
  primary key (stream, account, condition_id, outcome),
  constraint position_converted check (
case outcome
    when 0 then ((converted_lots >= 0) and (converted_cost >= 0))
    else ((converted_lots <= 0) and (converted_cost <= 0))
end),
  constraint position_cost check (merged_lots >= 0 and held_cost >= 0),
  constraint position_fees check (gone_cost >= 0 and fees >= 0),
  constraint position_key check (octet_length(account) = 20 and octet_length(condition_id) = 32 and outcome in (0, 1)),
  constraint position_never_negative check (lots >= 0 and bought_lots >= 0 and bought_cost >= 0 and sold_lots >= 0 and sold_cost >= 0 and redeemed_lots >= 0),
  constraint position_pairs check (split_cost >= 0 and merged_cost >= 0)
) with (fillfactor=70);
create index position_by_holder on "position" (stream, condition_id, outcome, lots desc) where lots > 0;

create table price_point (
  stream text not null,
  condition_id bytea not null,
  minute bigint not null,
  open smallint not null,
  high smallint not null,
  low smallint not null,
  close smallint not null,
  lots bigint not null,
  volume bigint not null,
  trades int not null,
  primary key (stream, condition_id, minute),
  constraint price_point_amounts check (lots >= 1 and volume >= 1 and trades >= 1),
  constraint price_point_condition check (octet_length(condition_id) = 32),
  constraint price_point_order check (low between 1 and 9999 and high between 1 and 9999 and open between low and high and close between low and high),
  constraint price_point_whole_minute check ((minute % (60000)::bigint) = 0)
);

create table projection (
  stream text not null,
  projected_seq bigint not null,
  folded_seq bigint not null,
  at bigint not null,
  checksum bytea not null,
  folds int not null default 0,
  folds_seq bigint not null default '0',
  primary key (stream),
  constraint projection_checksum_length check (octet_length(checksum) = 32),
  constraint projection_position check (projected_seq >= 0 and folded_seq >= 0 and folded_seq <= projected_seq and at >= 0)
);

create table snapshot (
  stream text not null,
  seq bigint not null,
  at bigint not null,
  rules int not null,
  checksum bytea not null,
  hash bytea not null,
  size bigint not null,
  chunks int not null,
  created_at timestamptz(3) not null default now(),
  primary key (stream, seq),
  constraint snapshot_hash_length check (octet_length(checksum) = 32 and octet_length(hash) = 32),
  constraint snapshot_not_empty check (size > 0 and chunks > 0),
  constraint snapshot_positions check (seq >= 1 and at > 0 and rules >= 1)
);

create table snapshot_chunk (
  stream text not null,
  seq bigint not null,
  n int not null,
  bytes bytea storage external not null,
  primary key (stream, seq, n),
  constraint snapshot_chunk_not_empty check (n >= 0 and octet_length(bytes) > 0)
);

create table trade (
  stream text not null,
  seq bigint not null,
  n int not null,
  at bigint not null,
  condition_id bytea not null,
  taker_order_id bytea not null,
  taker_account bytea not null,
  outcome smallint not null,
  side text not null,
  price smallint not null,
  lots bigint not null,
  fee bigint not null,
  fee_bps smallint not null,
  primary key (stream, seq, n),
  constraint trade_account check (octet_length(taker_account) = 20),
  constraint trade_amounts check (outcome in (0, 1) and price between 1 and 9999 and lots >= 1 and fee >= 0 and fee_bps >= 0),
  constraint trade_ids check (octet_length(condition_id) = 32 and octet_length(taker_order_id) = 32),
  constraint trade_side_check check (side in ('BUY', 'SELL'))
);
create index trade_by_condition on trade (condition_id, seq desc, n desc);
create index trade_by_taker on trade (taker_account, seq desc, n desc);

create table transfer (
  stream text not null,
  seq bigint not null,
  n int not null,
  at bigint not null,
  ref bytea not null,
  kind text not null,
  account bytea,
  amount bigint,
  primary key (stream, seq, n),
  constraint transfer_amount check (amount >= 1 and octet_length(account) = 20),
  constraint transfer_begins_with_amount check ((kind in ('deposit', 'withdrawal')) = (amount is not null and account is not null)),
  constraint transfer_kind_check check (kind in ('deposit', 'withdrawal', 'settled', 'returned')),
  constraint transfer_ref check (octet_length(ref) = 32)
);
create unique index transfer_begins_once on transfer (stream, ref) where kind in ('deposit', 'withdrawal');
create index transfer_by_account on transfer (stream, account, seq desc, n desc);
create unique index transfer_ends_once on transfer (stream, ref) where kind in ('settled', 'returned');

create table wallet (
  address bytea not null,
  owner bytea not null,
  signature_type smallint not null,
  created_at timestamptz(3) not null default now(),
  primary key (address),
  constraint wallet_addresses check (octet_length(address) = 20 and octet_length(owner) = 20 and address <> owner),
  constraint wallet_signature_type check (signature_type between 1 and 3)
);
create index wallet_owner_index on wallet (owner);

create table dropped_notification (
  account bytea not null,
  id bigint not null,
  dropped_at timestamptz(3) not null default now(),
  primary key (account, id),
  constraint dropped_notification_account check (octet_length(account) = 20)
);

create table shown_price (
  stream text not null,
  condition_id bytea not null,
  minute bigint not null,
  half_steps int not null,
  primary key (stream, condition_id, minute),
  constraint shown_price_bounds check (half_steps between 0 and 20000),
  constraint shown_price_condition check (octet_length(condition_id) = 32),
  constraint shown_price_whole_minute check ((minute % (60000)::bigint) = 0)
);

create table shown_rollup (
  stream text not null,
  condition_id bytea not null,
  minutes smallint not null,
  start bigint not null,
  half_steps int not null,
  primary key (stream, condition_id, minutes, start),
  constraint shown_rollup_bounds check (half_steps between 0 and 20000),
  constraint shown_rollup_condition check (octet_length(condition_id) = 32),
  constraint shown_rollup_lengths check (minutes in (5, 60, 1440)),
  constraint shown_rollup_whole_stretch check ((start % ((minutes * 60000))::bigint) = 0)
);

create table state_root (
  stream text not null,
  n int not null,
  seq bigint not null,
  at bigint not null,
  closes bigint not null,
  digest text not null,
  journal bytea not null,
  previous bytea not null,
  root bytea not null,
  assets int not null,
  holders int not null,
  usdc bigint not null,
  locked bigint not null,
  converted bigint not null,
  custody bigint not null,
  key bytea not null,
  hash bytea not null,
  signature bytea not null,
  endorsement bytea,
  primary key (stream, n),
  constraint state_root_adds_up check (usdc >= 0 and locked >= 0 and converted >= 0 and (((usdc + locked) + converted) = custody)),
  constraint state_root_lengths check (digest ~ '^[0-9a-f]{16}$' and octet_length(journal) = 32 and octet_length(previous) = 32 and octet_length(root) = 32 and octet_length(key) = 32 and octet_length(hash) = 32 and octet_length(signature) = 64 and octet_length(endorsement) = 64),
  constraint state_root_positions check (n >= 1 and seq >= 1 and at > 0 and closes > at and assets >= 1 and holders >= 0),
  constraint state_root_seq unique (stream, seq)
);

create table state_tree (
  stream text not null,
  n int not null,
  asset bytea not null,
  chunk int not null,
  place int not null,
  holders int not null,
  total bigint not null,
  first bytea,
  records bytea storage external not null,
  primary key (stream, n, asset, chunk),
  constraint state_tree_asset check (octet_length(asset) in (0, 33) and octet_length(first) = 32),
  constraint state_tree_places check (n >= 1 and chunk >= 0 and place >= 0 and holders >= 1 and total >= 0),
  constraint state_tree_whole_records check (octet_length(records) > 0 and ((octet_length(records) % 40) = 0))
);

create table holder_salt (
  stream text not null,
  secret bytea not null default sha256((((gen_random_uuid())::text || (gen_random_uuid())::text))::bytea),
  primary key (stream),
  constraint holder_salt_length check (octet_length(secret) = 32)
);

create table fee_account (
  deployment bytea not null,
  account bytea not null,
  changed_at timestamptz(3) not null default now(),
  primary key (deployment),
  constraint fee_account_addresses check (octet_length(deployment) = 20 and octet_length(account) = 20 and deployment <> account)
);

create table account_stats (
  stream text not null,
  account bytea not null,
  trades bigint not null,
  primary key (stream, account),
  constraint account_stats_account check (octet_length(account) = 20 and trades >= 1)
);

create table reward (
  stream text not null,
  account bytea not null,
  condition_id bytea not null,
  amount bigint not null,
  primary key (stream, account, condition_id),
  constraint reward_key check (octet_length(account) = 20 and octet_length(condition_id) = 32)
);

alter table snapshot_chunk add constraint snapshot_chunk_stream_seq_foreign foreign key (stream, seq) references snapshot(stream, seq) on update cascade on delete cascade;

create function state_root_stays() returns trigger language plpgsql as $$
begin raise exception 'state_root is append-only' using errcode = 'restrict_violation'; end $$;

create function cost_of_held(lots bigint, cost bigint, moves bigint[]) returns bigint language plpgsql immutable parallel safe as $$
declare
  move bigint[];
  held numeric := lots;
  worth numeric := cost;
begin
  foreach move slice 1 in array moves loop
    held := held + move[1];
    worth := worth + move[2];
    if move[3] > 0 then
      worth := div(2 * worth * (held - move[3]) + held, 2 * held);
      held := held - move[3];
    end if;
  end loop;
  return worth;
end $$;

create function worth_of_half(of_stream text, condition bytea, before bigint, side smallint, lots bigint) returns bigint
  language plpgsql stable parallel safe as $$
declare
  pays bigint;
  answers bigint;
begin
  select 10000 - coalesce(sum(ended.weight), 0), coalesce(max(own.event_size) - count(ended.seq), 2) into pays, answers
  from condition_change own
  join condition_change member on member.stream = own.stream and member.event_id = own.event_id
  left join condition_change ended on ended.stream = member.stream and ended.condition_id = member.condition_id
    and ended.change = 'resolved' and ended.seq < before
  where own.stream = of_stream and own.condition_id = condition and own.event_id is not null;
  return case side when 0 then pays * lots / answers else 10000 * lots - pays * lots / answers end;
end $$;

create trigger state_root_append_only before delete or update or truncate on state_root for each statement execute function state_root_stays();
