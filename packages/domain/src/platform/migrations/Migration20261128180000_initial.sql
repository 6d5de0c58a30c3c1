create extension if not exists pg_trgm;
create schema if not exists chain;

create function letter_pairs(text text) returns text[] language sql immutable strict parallel safe
return array(select distinct substr(text, n, 2) from generate_series(1, length(text) - 1) n);

create function search_fold(source text) returns text language sql immutable strict parallel safe
return case when octet_length(source) = length(source) then lower(translate(source, '`', '''') collate "pg_unicode_fast") else normalize(
  translate(
    replace(replace(replace(
      regexp_replace(
        lower(upper(normalize(translate(source, U&'\2018\2019\201B\02BC\02BB\02B9\2032\00B4\0060\FF07', ''''''''''''''''''''''), nfkd)
          collate "pg_unicode_fast")),
        '[\u00ad\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u093c\u094d\u09bc\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u0e3a\u0e47-\u0e4e\u0ec8-\u0ecd\u1039\u103a\u17d2\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]+',
        '', 'g'),
      'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    'łøđħðıςىةیک٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९', 'lodhdiσيهيك012345678901234567890123456789'),
  nfc) end collate "pg_unicode_fast";

create function search_other_terms(word text) returns setof text language sql immutable strict parallel safe rows 4 as $$
  select term from (
    select left(m[1], 60) as run from regexp_matches(word collate "pg_unicode_fast", '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+|[^\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+)', 'g') m
  ) runs
  cross join lateral (
    select run as term where run !~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]'
    union select regexp_replace(regexp_replace(run, '^([وبكف]{0,1}ال|لل)(..)', '\2'), '^[הבלומשכ]([א-ת]{3})', '\1') where run !~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]'
    union select substr(run, n, 3) from generate_series(1, length(run)) n where run ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]'
  ) terms
$$;

create function search_terms(source text) returns setof text language sql immutable strict parallel safe rows 20 as $$
  select distinct term collate "C" from (
    select btrim(token, '-''.,/&_·‐–') as compound
    from regexp_split_to_table(search_fold(source) collate "pg_unicode_fast", '[^[:alnum:]''.,/&_·‐–-]+') token
  ) compounds
  cross join lateral (
    select compound as word where compound !~ '[^[:alnum:]]'
    union all select regexp_replace(compound, '[^[:alnum:]]+', '', 'g') where compound ~ '[^[:alnum:]]'
    union all select part from regexp_split_to_table(compound, '[^[:alnum:]]+') part where compound ~ '[^[:alnum:]]'
  ) words
  cross join lateral (
    select left(word, 60) as term where octet_length(word) = length(word)
    union all select other from search_other_terms(word) other where octet_length(word) <> length(word)
  ) terms
  where term <> ''
$$;

create table sync_job (
  name text not null,
  holder uuid,
  heartbeat_at timestamptz(3),
  cursor text,
  primary key (name),
  constraint sync_job_lease check ((holder is null) = (heartbeat_at is null))
);

create table sync_run (
  id uuid not null default uuidv7(),
  job_name text not null,
  scheduler text not null,
  state text not null default 'running',
  started_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  counters jsonb not null default '{}',
  errors int not null default 0,
  error_details jsonb not null default '[]',
  time_limit_reached boolean not null default false,
  message text,
  primary key (id),
  constraint sync_run_errors check (errors >= 0),
  constraint sync_run_finished_has_time check ((state = 'running') = (finished_at is null)),
  constraint sync_run_state_check check (state in ('running', 'finished', 'failed', 'abandoned'))
);
create index sync_run_by_job on sync_run (job_name, started_at desc);
create unique index sync_run_one_running on sync_run (job_name) where state = 'running';

create table tag (
  id uuid not null default uuidv7(),
  slug text not null,
  name text not null,
  is_main_category boolean not null default false,
  display_order int not null default 0,
  is_hidden boolean not null default false,
  hide_events boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  arranged_at timestamptz(3),
  primary key (id),
  constraint tag_name_length check (length(name) between 1 and 80),
  constraint tag_slug_form check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80),
  constraint tag_slug_unique unique (slug)
);

create table event (
  id uuid not null default uuidv7(),
  slug text not null,
  title text not null,
  creator text not null,
  icon_url text not null default '',
  rules text not null default '',
  neg_risk boolean not null default false,
  neg_risk_market_id text,
  series_slug text,
  series_recurrence text,
  status text not null default 'draft',
  main_tag_id uuid,
  active_markets_count int not null default 0,
  total_markets_count int not null default 0,
  volume bigint not null default '0',
  volume_24h bigint not null default '0',
  liquidity bigint not null default '0',
  ranking_seed bigint not null default '0',
  start_date timestamptz(3),
  end_date timestamptz(3),
  resolved_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  hidden_at timestamptz(3),
  paused_at timestamptz(3),
  is_shown boolean not null default true,
  title_key text generated always as (casefold((normalize(title, NFKC) collate pg_unicode_fast))) stored not null,
  primary key (id),
  constraint event_counts check (active_markets_count between 0 and total_markets_count),
  constraint event_creator_form check (creator ~ '^0x[0-9a-f]{40}$'),
  constraint event_money_not_negative check (volume >= 0 and volume_24h >= 0 and liquidity >= 0 and ranking_seed >= 0),
  constraint event_neg_risk_id_form check (neg_risk_market_id is null or (neg_risk and neg_risk_market_id ~ '^0x[0-9a-f]{62}00$')),
  constraint event_resolved_has_time check ((status = 'resolved') = (resolved_at is not null)),
  constraint event_slug_form check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 200),
  constraint event_status_check check (status in ('draft', 'active', 'resolved', 'archived')),
  constraint event_title_length check (length(title) between 1 and 400),
  constraint event_slug_unique unique (slug)
);
create index event_by_creation on event (status, created_at desc, id) include (is_shown, hidden_at, main_tag_id);
create index event_by_creator on event (creator) include (volume, volume_24h);
create index event_by_end on event (status, end_date, id) include (is_shown, hidden_at, main_tag_id);
create index event_by_trend on event (status, volume_24h desc, volume desc, ranking_seed desc, created_at desc, id) include (is_shown, hidden_at, main_tag_id);
create index event_by_volume on event (status, volume desc, ranking_seed desc, created_at desc, id) include (is_shown, hidden_at, main_tag_id);
create index event_main_tag_id_index on event (main_tag_id);
create index event_of_calendar on event (series_slug, end_date) where series_slug is not null and start_date is null;
create index event_of_series on event (series_slug, start_date) where series_slug is not null;
create index event_of_series_open on event (series_slug) where series_slug is not null and status in ('active', 'archived');
create index event_paused on event (id) where paused_at is not null;

create table market (
  condition_id text not null,
  event_id uuid not null,
  position smallint not null,
  slug text not null,
  question_id text not null,
  title text not null,
  short_title text not null,
  question text not null,
  rules text not null default '',
  resolution_source text not null default '',
  resolution_source_url text not null default '',
  resolver text not null,
  icon_url text not null default '',
  end_time timestamptz(3) not null,
  grid smallint not null,
  min_lots int not null,
  fee_bps smallint not null,
  registered_at timestamptz(3),
  is_active boolean not null default false,
  is_resolved boolean not null default false,
  weight smallint,
  resolution_status text not null default 'pending',
  resolution_flagged boolean not null default false,
  resolution_paused boolean not null default false,
  volume bigint not null default '0',
  volume_24h bigint not null default '0',
  open_interest bigint not null default '0',
  liquidity bigint not null default '0',
  active_positions_count int not null default 0,
  price numeric(6,1) not null default 5000,
  best_bid smallint,
  best_ask smallint,
  last_trade smallint,
  listing_price smallint not null default 5000,
  ranking_seed bigint not null default '0',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  proposed_weight smallint,
  resolution_deadline_at timestamptz(3),
  affiliate_bps smallint not null default 0,
  price_is_final boolean not null default false,
  yes_token text,
  yes_text text,
  no_token text,
  no_text text,
  event_interest bigint not null default '0',
  primary key (condition_id),
  constraint market_active_is_registered check ((not is_active) or (registered_at is not null and (not is_resolved))),
  constraint market_book check (best_bid >= 1 and best_bid <= 9999 and best_ask >= 1 and best_ask <= 9999 and best_bid < best_ask and last_trade >= 1 and last_trade <= 9999),
  constraint market_condition_form check (condition_id ~ '^0x[0-9a-f]{64}$' and question_id ~ '^0x[0-9a-f]{64}$'),
  constraint market_event_interest check (event_interest >= 0),
  constraint market_final_price check ((not price_is_final) or is_resolved),
  constraint market_grid check (grid in (1000, 100, 50, 25, 10, 1)),
  constraint market_money_not_negative check (volume >= 0 and volume_24h >= 0 and open_interest >= 0 and liquidity >= 0 and ranking_seed >= 0 and active_positions_count >= 0),
  constraint market_outcomes_whole check (((yes_token is null) = (yes_text is null)) and ((no_token is null) = (no_text is null))),
  constraint market_price check ((price >= 0) and (price <= 10000) and listing_price >= 0 and listing_price <= 10000),
  constraint market_proposal check (((proposed_weight is not null) = (resolution_status in ('proposed', 'disputed'))) and (proposed_weight is null or resolution_deadline_at is not null)),
  constraint market_resolution_status_check check (resolution_status in ('pending', 'proposed', 'disputed', 'confirmed')),
  constraint market_resolved_has_weight check ((is_resolved = (weight is not null)) and (is_resolved = (resolution_status = 'confirmed'))),
  constraint market_resolver_form check (resolver ~ '^0x[0-9a-f]{40}$'),
  constraint market_slug_form check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 200),
  constraint market_terms check (min_lots >= 1 and fee_bps >= 0 and fee_bps <= 1000 and affiliate_bps >= 0 and affiliate_bps <= 10000 and ("position" >= 0)),
  constraint market_weight check (weight >= 0 and weight <= 10000 and proposed_weight >= 0 and proposed_weight <= 10000),
  constraint market_position_unique unique (event_id, "position"),
  constraint market_question_id_unique unique (question_id),
  constraint market_slug_unique unique (slug)
) with (fillfactor=80);
create index market_active on market (event_id) where is_active;
create index market_price_to_settle on market (condition_id) where is_resolved and (not price_is_final);
create index market_to_confirm on market (resolution_deadline_at) where resolution_status = 'proposed';
create index market_to_end on market (end_time) where registered_at is not null and (not is_resolved);
create index market_to_look_at on market (event_id) where (not is_resolved) and (resolution_status <> 'pending' or resolution_flagged or registered_at is null);
create index market_to_sync on market (condition_id) where registered_at is not null and (not is_resolved);
create index market_with_interest on market (event_id) include (open_interest, event_interest) where open_interest > 0 or event_interest > 0;

create table price_point (
  market_condition_id text not null,
  minute timestamp(0) with time zone not null,
  price numeric(6,1) not null,
  primary key (market_condition_id, minute),
  constraint price_point_price check ((price >= 0) and (price <= 10000)),
  constraint price_point_whole_minute check (minute = date_trunc('minute', minute, 'UTC'))
);

create table outcome (
  token_id text not null,
  market_condition_id text not null,
  index smallint not null,
  text text not null,
  primary key (token_id),
  constraint outcome_index check (index in (0, 1)),
  constraint outcome_text_length check (length(text) between 1 and 100),
  constraint outcome_token_form check (token_id ~ '^[1-9][0-9]{0,77}$'),
  constraint outcome_index_unique unique (market_condition_id, index)
);

create table event_tag (
  event_id uuid not null,
  tag_id uuid not null,
  position smallint not null,
  primary key (event_id, tag_id),
  constraint event_tag_position check ("position" >= 0),
  constraint event_tag_position_unique unique (event_id, "position")
);
create index event_tag_tag_id_index on event_tag (tag_id);

create table tag_parent (
  child_id uuid not null,
  parent_id uuid not null,
  primary key (child_id, parent_id),
  constraint tag_parent_not_itself check (child_id <> parent_id)
);
create index tag_parent_parent_id_index on tag_parent (parent_id);

create table sign_in_nonce (
  nonce text not null,
  browser_hash bytea not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  address text,
  chain_id bigint,
  primary key (nonce),
  constraint sign_in_nonce_address_form check (address ~ '^0x[0-9a-f]{40}$'),
  constraint sign_in_nonce_browser_hash_length check (octet_length(browser_hash) = 32),
  constraint sign_in_nonce_form check (nonce ~ '^[A-Za-z0-9]{32}$')
);
create index sign_in_nonce_expires_at_index on sign_in_nonce (expires_at);

create table users (
  id uuid not null default uuidv7(),
  address text not null,
  username text,
  email text,
  email_verified boolean not null default false,
  image_url text not null default '',
  banned_at timestamptz(3),
  total_volume bigint not null default '0',
  total_trades int not null default 0,
  affiliate_code text not null,
  proxy_wallet_address text,
  proxy_wallet_signature text,
  proxy_wallet_status text not null default 'not_started',
  proxy_wallet_signed_at timestamptz(3),
  proxy_wallet_tx_hash text,
  preferences jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (id),
  constraint users_address_form check (address ~ '^0x[0-9a-f]{40}$'),
  constraint users_affiliate_code_form check (affiliate_code ~ '^[a-z0-9]{6,32}$'),
  constraint users_email_form check (email ~ '^[^@[:space:]]+@[^@[:space:]]+$' and length(email) <= 254),
  constraint users_proxy_wallet_form check (proxy_wallet_address ~ '^0x[0-9a-f]{40}$'),
  constraint users_proxy_wallet_status_check check (proxy_wallet_status in ('not_started', 'signed', 'deploying', 'deployed')),
  constraint users_proxy_wallet_steps check (((proxy_wallet_status = 'not_started') = (proxy_wallet_signature is null)) and ((proxy_wallet_signature is null) = (proxy_wallet_signed_at is null))),
  constraint users_statistics_not_negative check (total_volume >= 0 and total_trades >= 0),
  constraint users_username_form check (username ~ '^[A-Za-z0-9_]{3,30}$'),
  constraint users_verified_email_exists check ((not email_verified) or email is not null),
  constraint users_address_unique unique (address),
  constraint users_affiliate_code_unique unique (affiliate_code)
);
create index users_by_address on users using gin (address gin_trgm_ops);
create index users_by_email on users using gin (email gin_trgm_ops);
create index users_by_username on users using gin (username gin_trgm_ops);
create index users_newest on users (created_at desc nulls last, id);
create unique index users_username_unique on users (lower(username));

create table two_factor (
  user_id uuid not null,
  secret text not null,
  confirmed_at timestamptz(3),
  last_step bigint not null default '0',
  failures smallint not null default 0,
  locks smallint not null default 0,
  locked_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  used_steps jsonb not null default '[]',
  primary key (user_id),
  constraint two_factor_counts check (last_step >= 0 and failures >= 0 and failures <= 5 and locks >= 0),
  constraint two_factor_secret_is_sealed check (secret ~ '^v1[.]')
);

create table session (
  id uuid not null default uuidv7(),
  token_hash bytea not null,
  user_id uuid not null,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  proven_at timestamptz(3) not null,
  user_agent text not null,
  client_address text not null,
  primary key (id),
  constraint session_texts check (length(user_agent) <= 300 and length(client_address) <= 64),
  constraint session_times check (last_seen_at >= created_at and proven_at <= last_seen_at),
  constraint session_token_hash_length check (octet_length(token_hash) = 32),
  constraint session_token_hash_unique unique (token_hash)
);
create index session_user_id_index on session (user_id);

create table recovery_code (
  user_id uuid not null,
  code_hash bytea not null,
  primary key (user_id, code_hash),
  constraint recovery_code_hash_length check (octet_length(code_hash) = 32)
);

create table pending_second_factor (
  token_hash bytea not null,
  user_id uuid not null,
  expires_at timestamptz(3) not null,
  primary key (token_hash),
  constraint pending_second_factor_token_hash_length check (octet_length(token_hash) = 32)
);
create index pending_second_factor_expires_at_index on pending_second_factor (expires_at);
create index pending_second_factor_user_id_index on pending_second_factor (user_id);

create table audit_log (
  id uuid not null default uuidv7(),
  at timestamptz(3) not null,
  actor_id uuid,
  subject_id uuid,
  action text not null,
  client_address text not null,
  details jsonb not null default '{}',
  position int,
  hash bytea,
  primary key (id),
  constraint audit_log_action_form check (action ~ '^[a-z]+(_[a-z]+)*$'),
  constraint audit_log_chained check ((("position" is null) = (hash is null)) and octet_length(hash) = 32),
  constraint audit_log_position_unique unique ("position")
);
create index audit_log_actor_id_index on audit_log (actor_id);
create index audit_log_by_action on audit_log (action, "position" desc);
create index audit_log_by_subject on audit_log (subject_id, id desc);
create index audit_log_by_target on audit_log (((details ->> 'target')), "position" desc);

create table wallet (
  address text not null,
  user_id uuid not null,
  kind text not null default 'key',
  chain_id bigint not null,
  is_primary boolean not null default true,
  created_at timestamptz(3) not null default now(),
  primary key (address),
  constraint wallet_address_form check (address ~ '^0x[0-9a-f]{40}$'),
  constraint wallet_chain check (chain_id > 0),
  constraint wallet_kind_check check (kind in ('key', 'contract'))
);
create unique index wallet_one_primary on wallet (user_id) where is_primary;
create index wallet_user_id_index on wallet (user_id);

create table trading_credential (
  user_id uuid not null,
  set text not null,
  address text not null,
  key text not null,
  secret text not null,
  passphrase text not null,
  updated_at timestamptz(3) not null,
  broken_at timestamptz(3),
  primary key (user_id, set),
  constraint trading_credential_address_form check (address ~ '^0x[0-9a-f]{40}$'),
  constraint trading_credential_is_sealed check (secret ~ '^v1[.]' and passphrase ~ '^v1[.]'),
  constraint trading_credential_key_length check (length(key) between 1 and 128),
  constraint trading_credential_set_check check (set in ('clob', 'relayer'))
);

create table trading_context (
  user_id uuid not null,
  slot smallint not null,
  context_hash bytea not null,
  created_at timestamptz(3) not null,
  primary key (user_id, slot),
  constraint trading_context_hash_length check (octet_length(context_hash) = 32),
  constraint trading_context_slot check (slot >= 0 and slot < 5),
  constraint trading_context_hash_unique unique (user_id, context_hash)
);

create table notification (
  id uuid not null default uuidv7(),
  user_id uuid not null,
  source text not null,
  category text not null,
  title text not null,
  description text not null,
  metadata jsonb not null default '{}',
  link_type text not null default 'none',
  link_target text not null default '',
  link_url text not null default '',
  read_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (id),
  constraint notification_category_check check (category in ('trade', 'system', 'general')),
  constraint notification_link check (link_type <> 'none' or (link_target = '' and link_url = '')),
  constraint notification_link_type_check check (link_type in ('none', 'market', 'event', 'order', 'settings', 'profile', 'external')),
  constraint notification_source_length check (length(source) between 1 and 200),
  constraint notification_texts check (length(title) >= 1 and length(title) <= 200 and length(description) <= 1000),
  constraint notification_source_unique unique (user_id, source)
);
create index notification_by_insertion on notification (user_id, id);
create index notification_newest on notification (user_id, created_at desc, id desc);

create table bookmark (
  user_id uuid not null,
  event_id uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, event_id)
);
create index bookmark_event_id_index on bookmark (event_id);

create table withdrawal (
  id uuid not null default uuidv7(),
  user_id uuid not null,
  address text not null,
  destination text not null,
  amount bigint not null,
  status text not null default 'approved',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  held_until timestamptz(3),
  primary key (id),
  constraint withdrawal_addresses check (address ~ '^0x[0-9a-f]{40}$' and destination ~ '^0x[0-9a-f]{40}$'),
  constraint withdrawal_amount check (amount > 0),
  constraint withdrawal_status_check check (status in ('requested', 'approved', 'sent', 'settled', 'returned', 'refused', 'cancelled')),
  constraint withdrawal_times check (updated_at >= created_at and held_until > created_at),
  constraint withdrawal_waits_until check (status <> 'requested' or held_until is not null)
);
create index withdrawal_by_user on withdrawal (user_id, created_at desc, id desc);
create index withdrawal_to_pursue on withdrawal (id) where status in ('requested', 'approved', 'sent');

create table comment (
  id uuid not null default uuidv7(),
  user_id uuid not null,
  event_id uuid not null,
  parent_id uuid,
  content text not null,
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  likes_count int not null default 0,
  reviewed_at timestamptz(3),
  primary key (id),
  constraint comment_content check ((deleted_at is null and length(content) >= 1 and length(content) <= 2000) or (deleted_at is not null and length(content) = 0)),
  constraint comment_not_its_own_answer check (parent_id <> id)
);
create index comment_most_liked on comment (event_id, likes_count desc, created_at desc, id desc) where parent_id is null;
create index comment_newest on comment (event_id, created_at desc, id desc);
create index comment_parent_id_index on comment (parent_id);
create index comment_user_id_index on comment (user_id);

create table comment_mark (
  comment_id uuid not null,
  user_id uuid not null,
  kind text not null,
  created_at timestamptz(3) not null,
  primary key (comment_id, user_id, kind),
  constraint comment_mark_kind_check check (kind in ('like', 'report'))
);
create index comment_mark_user_id_index on comment_mark (user_id);
create index comment_reported on comment_mark (created_at, comment_id) where kind = 'report';

create table admin_claim (
  token_hash bytea not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (token_hash),
  constraint admin_claim_token_hash_length check (octet_length(token_hash) = 32)
);

create table admin_wallet (
  address text not null,
  added_by_id uuid,
  created_at timestamptz(3) not null,
  primary key (address),
  constraint admin_wallet_address_form check (address ~ '^0x[0-9a-f]{40}$')
);
create index admin_wallet_added_by_id_index on admin_wallet (added_by_id);

create table audit_head (
  id smallint not null,
  position int not null,
  hash bytea not null,
  primary key (id),
  constraint audit_head_only_one check (id = 1 and ("position" >= 0) and octet_length(hash) = 32)
);

create table price_feed (
  source text not null,
  instrument text not null,
  interval text not null,
  name text not null,
  simulated boolean not null,
  checked_at timestamptz(3),
  failed_at timestamptz(3),
  failure text not null default '',
  gaps_asked_at timestamptz(3),
  live_start timestamptz(3),
  live_end timestamptz(3),
  live_opening_price numeric(24,12),
  live_price numeric(24,12),
  live_timestamp timestamptz(3),
  primary key (source, instrument, "interval"),
  constraint price_feed_failure_has_time check ((failed_at is null) = (failure = '')),
  constraint price_feed_interval_check check ("interval" in ('5m', '15m', '1h', '4h', '1d')),
  constraint price_feed_live_window check ((num_nulls(live_start, live_end, live_opening_price, live_price, live_timestamp) in (0, 5)) and live_start < live_end and (live_opening_price > 0) and (live_price > 0)),
  constraint price_feed_source_check check (source in ('oracle_a', 'oracle_b'))
);

create table price_mark (
  source text not null,
  instrument text not null,
  interval text not null,
  window_end timestamptz(3) not null,
  window_start timestamptz(3) not null,
  price numeric(24,12) not null,
  source_timestamp timestamptz(3) not null,
  received_at timestamptz(3) not null,
  primary key (source, instrument, "interval", window_end),
  constraint price_mark_interval_check check ("interval" in ('5m', '15m', '1h', '4h', '1d')),
  constraint price_mark_not_from_after check (source_timestamp <= window_end),
  constraint price_mark_price check (price > 0),
  constraint price_mark_source_check check (source in ('oracle_a', 'oracle_b')),
  constraint price_mark_whole_window check ((((window_end - window_start) =
case "interval"
    when '5m' then '00:05:00'::interval
    when '15m' then '00:15:00'::interval
    when '1h' then '01:00:00'::interval
    when '4h' then '04:00:00'::interval
    else '24:00:00'::interval
end) and ((EXTRACT(epoch from window_end) % EXTRACT(epoch from (window_end - window_start))) = 0)))
);

create table price_mark_correction (
  id uuid not null default uuidv7(),
  source text not null,
  instrument text not null,
  interval text not null,
  window_end timestamptz(3) not null,
  old_price numeric(24,12) not null,
  new_price numeric(24,12) not null,
  noticed_at timestamptz(3) not null,
  primary key (id),
  constraint price_mark_correction_changes check (new_price <> old_price),
  constraint price_mark_correction_interval_check check ("interval" in ('5m', '15m', '1h', '4h', '1d')),
  constraint price_mark_correction_source_check check (source in ('oracle_a', 'oracle_b'))
);

create table price_series (
  slug text not null,
  instrument text not null,
  interval text not null,
  source text not null,
  display_name text not null,
  symbol_a text not null default '',
  symbol_b text not null default '',
  enabled boolean not null default true,
  recurring boolean not null default false,
  category text not null default 'crypto',
  ahead smallint not null default 2,
  settlement_seconds int not null default 300,
  dispute_seconds int not null default 300,
  created_at timestamptz(3) not null default now(),
  primary key (slug),
  constraint price_series_category_form check (category ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  constraint price_series_has_symbol check (
case source
    when 'oracle_a' then (symbol_a <> '')
    else (symbol_b <> '')
end),
  constraint price_series_interval_check check ("interval" in ('5m', '15m', '1h', '4h', '1d')),
  constraint price_series_recurrence check (ahead >= 1 and ahead <= 12 and settlement_seconds >= 0 and dispute_seconds >= 0),
  constraint price_series_slug_form check (slug ~ '^[a-z0-9]+-[a-z0-9]+-(5m|15m|1h|4h|1d)$' and (slug ~~ ('%-' || "interval"))),
  constraint price_series_source_check check (source in ('oracle_a', 'oracle_b')),
  constraint price_series_texts check (length(slug) <= 60 and length(instrument) >= 1 and length(instrument) <= 40 and length(display_name) >= 1 and length(display_name) <= 80 and length(symbol_a) <= 100 and length(symbol_b) <= 100)
);

create table settlement (
  market_condition_id text not null,
  closed_at timestamptz(3),
  resolved_at timestamptz(3),
  told_at timestamptz(3),
  paid_at timestamptz(3),
  mirrored boolean not null default false,
  primary key (market_condition_id),
  constraint settlement_order check ((resolved_at is null or closed_at is not null) and (told_at is null or resolved_at is not null) and (paid_at is null or told_at is not null))
);
create index settlement_to_mirror on settlement (market_condition_id) where not mirrored;
create index settlement_unpaid on settlement (market_condition_id) where paid_at is null;

create table resolution_step (
  id uuid not null default uuidv7(),
  market_condition_id text not null,
  step text not null,
  at timestamptz(3) not null,
  actor_kind text not null,
  actor text not null default '',
  user_id uuid,
  weight smallint,
  deadline_at timestamptz(3),
  note text not null default '',
  primary key (id),
  constraint resolution_step_actor_kind_check check (actor_kind in ('operator', 'series', 'clock')),
  constraint resolution_step_deadline check (step = 'proposed' or deadline_at is null),
  constraint resolution_step_step_check check (step in ('closed', 'proposed', 'disputed', 'cancelled', 'confirmed', 'settled', 'paid', 'flagged', 'unflagged', 'paused', 'resumed')),
  constraint resolution_step_texts check (length(note) <= 2000 and length(actor) <= 200),
  constraint resolution_step_weight check (weight >= 0 and weight <= 10000 and (step not in ('proposed', 'confirmed') or weight is not null))
);
create index resolution_step_by_market on resolution_step (market_condition_id, at, id);
create unique index resolution_step_once on resolution_step (market_condition_id, step) where step in ('closed', 'confirmed', 'settled', 'paid');
create index resolution_step_user_id_index on resolution_step (user_id);

create table settings_version (
  group_name text not null,
  number int not null,
  values jsonb not null,
  actor_id uuid,
  created_at timestamptz(3) not null,
  primary key (group_name, number),
  constraint settings_version_form check (group_name ~ '^[a-z]+$' and number >= 1),
  constraint settings_version_values check ((jsonb_typeof("values") = 'object') and (octet_length(("values")::text) <= 400000))
);
create index settings_version_actor_id_index on settings_version (actor_id);

create table sealed_setting (
  name text not null,
  sealed text not null,
  changed_at timestamptz(3) not null,
  primary key (name),
  constraint sealed_setting_is_sealed check (sealed ~ '^v1[.]'),
  constraint sealed_setting_name check (name ~ '^[a-z]+[.][a-zA-Z]+$')
);

create table affiliate_share (
  seq bigint not null,
  at timestamptz(3) not null,
  condition_id text not null,
  taker text not null,
  referrer text not null,
  volume bigint not null,
  fee bigint not null,
  amount bigint not null,
  primary key (seq),
  constraint affiliate_share_addresses check (referrer ~ '^0x[0-9a-f]{40}$' and taker ~ '^0x[0-9a-f]{40}$' and referrer <> taker),
  constraint affiliate_share_amounts check (amount > 0 and fee >= amount and volume > 0),
  constraint affiliate_share_condition_form check (condition_id ~ '^0x[0-9a-f]{64}$')
);
create index affiliate_share_by_referrer on affiliate_share (referrer, seq desc);

create table referral (
  user_id uuid not null,
  referrer_id uuid not null,
  status text not null default 'pending',
  created_at timestamptz(3) not null,
  primary key (user_id),
  constraint referral_not_of_oneself check (user_id <> referrer_id),
  constraint referral_status_check check (status in ('pending', 'counted', 'taken'))
);
create index referral_referrer_id_index on referral (referrer_id);
create index referral_to_tell on referral (user_id) where status = 'pending';

create table notice_cursor (
  user_id uuid not null,
  seq bigint not null,
  epoch int,
  primary key (user_id),
  constraint notice_cursor_not_negative check (seq >= 0)
);

create table price_rollup (
  market_condition_id text not null,
  minutes smallint not null,
  start timestamp(0) with time zone not null,
  price numeric(6,1) not null,
  primary key (market_condition_id, minutes, start),
  constraint price_rollup_minutes check (minutes in (5, 60, 1440)),
  constraint price_rollup_price check ((price >= 0) and (price <= 10000)),
  constraint price_rollup_start check (((EXTRACT(epoch from start))::bigint % ((minutes * 60))::bigint) = 0)
);

create table sync_failure (
  job_name text not null,
  item text not null,
  attempts int not null,
  first_at timestamptz(3) not null,
  last_at timestamptz(3) not null,
  next_at timestamptz(3) not null,
  dead boolean not null default false,
  error text not null,
  primary key (job_name, item),
  constraint sync_failure_attempts check (attempts >= 1),
  constraint sync_failure_texts check (length(item) >= 1 and length(item) <= 300 and length(error) <= 500),
  constraint sync_failure_times check (first_at <= last_at and last_at <= next_at)
);
create index sync_failure_dead on sync_failure (last_at desc) where dead;

create table theme (
  id uuid not null default uuidv7(),
  name text not null,
  tokens jsonb not null,
  version int,
  activated_at timestamptz(3),
  actor_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (id),
  constraint theme_name check (length(name) between 1 and 60),
  constraint theme_tokens check (jsonb_typeof(tokens) = 'object' and (octet_length((tokens)::text) <= 8000)),
  constraint theme_version check (version >= 1 and (activated_at is null or version is not null)),
  constraint theme_version_unique unique (version)
);
create index theme_activated_at_index on theme (activated_at);
create index theme_actor_id_index on theme (actor_id);

create table translation (
  kind text not null,
  subject uuid not null,
  locale text not null,
  text text not null,
  by_person boolean not null,
  updated_at timestamptz(3) not null,
  primary key (kind, subject, locale),
  constraint translation_kind_check check (kind in ('event', 'tag')),
  constraint translation_locale check (locale ~ '^[a-z]{2}$'),
  constraint translation_text check (length(text) between 1 and 400)
);

create table model_call (
  id uuid not null default uuidv7(),
  at timestamptz(3) not null,
  purpose text not null,
  model text not null,
  tokens int not null,
  cost bigint not null,
  actor_id uuid,
  primary key (id),
  constraint model_call_counts check (cost >= 0 and tokens >= 0)
);
create index model_call_actor_id_index on model_call (actor_id);
create index model_call_at_index on model_call (at);

create table event_series (
  slug text not null,
  content jsonb not null,
  recurrence text not null,
  next_end timestamptz(3) not null,
  enabled boolean not null default true,
  actor_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (slug),
  constraint event_series_content check (jsonb_typeof(content) = 'object' and (octet_length((content)::text) <= 200000)),
  constraint event_series_recurrence_check check (recurrence in ('daily', 'weekly', 'monthly')),
  constraint event_series_slug_form check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 150)
);
create index event_series_actor_id_index on event_series (actor_id);

create table event_draft (
  id uuid not null default uuidv7(),
  content jsonb not null,
  revision int not null default 1,
  state text not null default 'draft',
  problem text not null default '',
  event_id uuid,
  actor_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (id),
  constraint event_draft_content check (jsonb_typeof(content) = 'object' and (octet_length((content)::text) <= 200000)),
  constraint event_draft_has_event check ((state = 'draft') = (event_id is null)),
  constraint event_draft_revision check (revision >= 1),
  constraint event_draft_state_check check (state in ('draft', 'publishing', 'published')),
  constraint event_draft_event_id_unique unique (event_id)
);
create index event_draft_actor_id_index on event_draft (actor_id);
create index event_draft_updated_at_index on event_draft (updated_at);

create table cache_tag (
  tag text not null,
  generation bigint not null,
  primary key (tag),
  constraint cache_tag_form check (tag ~ '^[a-z-]{1,40}$'),
  constraint cache_tag_generation check (generation >= 1)
);

create table site_day (
  day date not null,
  volume bigint not null default '0',
  fees bigint not null default '0',
  trades int not null default 0,
  open_interest bigint,
  members int,
  shares bigint not null default '0',
  primary key (day),
  constraint site_day_not_negative check (volume >= 0 and fees >= 0 and shares >= 0 and trades >= 0 and open_interest >= 0 and members >= 0)
);

create table market_context (
  market_condition_id text not null,
  text text not null,
  generated_at timestamptz(3) not null,
  actor_id uuid,
  primary key (market_condition_id),
  constraint market_context_text check (length(text) between 1 and 4000)
);
create index market_context_actor_id_index on market_context (actor_id);

create table swap_request (
  id uuid not null default uuidv7(),
  at timestamptz(3) not null,
  primary key (id)
);
create index swap_request_at_index on swap_request (at);

create table event_search (
  event_id uuid not null,
  text text not null,
  terms tsvector not null default ''::tsvector,
  changed xid8 not null default pg_current_xact_id(),
  primary key (event_id)
);
create index event_search_by_change on event_search (changed);
create index event_search_by_pair on event_search using gin (letter_pairs(text));
create index event_search_by_text on event_search using gin (text gin_trgm_ops);

create table email_verification (
  token_hash bytea not null,
  user_id uuid not null,
  email text not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (token_hash),
  constraint email_verification_email_form check (email ~ '^[^@[:space:]]+@[^@[:space:]]+$' and length(email) <= 254),
  constraint email_verification_token_hash_length check (octet_length(token_hash) = 32)
);
create index email_verification_by_mailbox on email_verification ((((replace(split_part(split_part(lower(email), '@', 1), '+', 1), '.', '') || '@') || split_part(lower(email), '@', 2))));
create index email_verification_expires_at_index on email_verification (expires_at);
create index email_verification_user_id_index on email_verification (user_id);

create table former_tag (
  slug text not null,
  tag_id uuid not null,
  primary key (slug),
  constraint former_tag_slug_form check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80)
);
create index former_tag_tag_id_index on former_tag (tag_id);

create table chain.address (
  account text not null,
  asked_at timestamptz(3) not null default now(),
  primary key (account),
  constraint address_account check (account ~ '^0x[0-9a-f]{40}$')
);

create table chain.arrival (
  id uuid not null default uuidv7(),
  account text not null,
  amount bigint not null,
  n int,
  transaction text,
  block_number int,
  confirmations int not null,
  seen_at timestamptz(3) not null default now(),
  primary key (id),
  constraint arrival_amount check (amount > 0 and confirmations >= 0)
);
create index arrival_by_account on chain.arrival (account);

create table chain.cursor (
  name text not null,
  value jsonb not null,
  primary key (name)
);

create table chain.deposit (
  n int not null,
  account text not null,
  sender text not null,
  amount bigint not null,
  total bigint not null,
  block_number int not null,
  block_hash text not null,
  transaction text not null,
  backs text,
  credited_at timestamptz(3) not null default now(),
  primary key (n),
  constraint deposit_addresses check (account ~ '^0x[0-9a-f]{40}$' and sender ~ '^0x[0-9a-f]{40}$'),
  constraint deposit_amount check (amount > 0 and total >= amount),
  constraint deposit_number check (n > 0),
  constraint deposit_backs unique (backs)
);
create index deposit_by_account on chain.deposit (account, n desc);

create table chain.intent (
  nonce int not null,
  purpose jsonb not null,
  "to" text not null,
  data text not null,
  gas int not null,
  versions jsonb not null,
  mined boolean not null default false,
  booked_number int,
  booked_hash text,
  created_at timestamptz(3) not null default now(),
  primary key (nonce),
  constraint intent_booked check ((booked_number is null) = (booked_hash is null)),
  constraint intent_nonce check (nonce >= 0 and gas > 0)
);
create index intent_by_booking on chain.intent (booked_number desc, nonce desc) where booked_number is not null;
create index intent_by_purpose on chain.intent using gin (purpose jsonb_path_ops);
create index intent_to_book on chain.intent (nonce) where booked_number is null;

create table chain.root (
  n int not null,
  hash text not null,
  root text not null,
  seq bigint not null,
  custody bigint not null,
  transaction text not null,
  block_number int not null,
  posted_at timestamptz(3) not null,
  primary key (n),
  constraint root_number check (n > 0 and custody >= 0)
);
create index root_by_hash on chain.root (hash);

create table chain.status (
  id smallint not null,
  status jsonb not null,
  updated_at timestamptz(3) not null default now(),
  primary key (id),
  constraint status_only_one check (id = 1)
);

create table chain.wallet (
  owner text not null,
  signature text not null,
  asked_at timestamptz(3) not null default now(),
  state text not null default 'asked',
  transaction text,
  primary key (owner),
  constraint chain_wallet_owner check (owner ~ '^0x[0-9a-f]{40}$'),
  constraint wallet_state_check check (state in ('asked', 'sent', 'deployed', 'failed'))
);
create index wallet_to_deploy on chain.wallet (asked_at) where state in ('asked', 'sent');

alter table sync_run add constraint sync_run_job_name_foreign foreign key (job_name) references sync_job (name);
alter table event add constraint event_main_tag_id_foreign foreign key (main_tag_id) references tag (id) on delete set null;
alter table market add constraint market_event_id_foreign foreign key (event_id) references event (id);
alter table price_point add constraint price_point_market_condition_id_foreign foreign key (market_condition_id) references market (condition_id) on delete cascade;
alter table outcome add constraint outcome_market_condition_id_foreign foreign key (market_condition_id) references market (condition_id) on delete cascade;
alter table event_tag add constraint event_tag_event_id_foreign foreign key (event_id) references event (id) on update cascade on delete cascade;
alter table event_tag add constraint event_tag_tag_id_foreign foreign key (tag_id) references tag (id) on update cascade on delete cascade;
alter table tag_parent add constraint tag_parent_child_id_foreign foreign key (child_id) references tag (id) on update cascade on delete cascade;
alter table tag_parent add constraint tag_parent_parent_id_foreign foreign key (parent_id) references tag (id) on update cascade on delete cascade;
alter table two_factor add constraint two_factor_user_id_foreign foreign key (user_id) references users (id) on update cascade on delete cascade;
alter table session add constraint session_user_id_foreign foreign key (user_id) references users (id) on delete cascade;
alter table recovery_code add constraint recovery_code_user_id_foreign foreign key (user_id) references users (id) on delete cascade;
alter table pending_second_factor add constraint pending_second_factor_user_id_foreign foreign key (user_id) references users (id) on delete cascade;
alter table audit_log add constraint audit_log_actor_id_foreign foreign key (actor_id) references users (id) on delete set null;
alter table audit_log add constraint audit_log_subject_id_foreign foreign key (subject_id) references users (id) on delete set null;
alter table wallet add constraint wallet_user_id_foreign foreign key (user_id) references users (id) on delete cascade;
alter table trading_credential add constraint trading_credential_user_id_foreign foreign key (user_id) references users (id) on delete cascade;
alter table trading_context add constraint trading_context_user_id_foreign foreign key (user_id) references users (id) on delete cascade;
alter table notification add constraint notification_user_id_foreign foreign key (user_id) references users (id) on delete cascade;
alter table bookmark add constraint bookmark_event_id_foreign foreign key (event_id) references event (id) on update cascade on delete cascade;
alter table bookmark add constraint bookmark_user_id_foreign foreign key (user_id) references users (id) on update cascade on delete cascade;
alter table withdrawal add constraint withdrawal_user_id_foreign foreign key (user_id) references users (id);
alter table comment add constraint comment_event_id_foreign foreign key (event_id) references event (id) on delete cascade;
alter table comment add constraint comment_parent_id_foreign foreign key (parent_id) references comment (id) on delete cascade;
alter table comment add constraint comment_user_id_foreign foreign key (user_id) references users (id) on delete cascade;
alter table comment_mark add constraint comment_mark_comment_id_foreign foreign key (comment_id) references comment (id) on delete cascade;
alter table comment_mark add constraint comment_mark_user_id_foreign foreign key (user_id) references users (id) on delete cascade;
alter table admin_wallet add constraint admin_wallet_added_by_id_foreign foreign key (added_by_id) references users (id) on delete set null;
alter table settlement add constraint settlement_market_condition_id_foreign foreign key (market_condition_id) references market (condition_id) on update cascade on delete cascade;
alter table resolution_step add constraint resolution_step_market_condition_id_foreign foreign key (market_condition_id) references market (condition_id) on delete cascade;
alter table resolution_step add constraint resolution_step_user_id_foreign foreign key (user_id) references users (id) on delete set null;
alter table settings_version add constraint settings_version_actor_id_foreign foreign key (actor_id) references users (id) on delete set null;
alter table referral add constraint referral_referrer_id_foreign foreign key (referrer_id) references users (id) on delete cascade;
alter table referral add constraint referral_user_id_foreign foreign key (user_id) references users (id) on update cascade on delete cascade;
alter table notice_cursor add constraint notice_cursor_user_id_foreign foreign key (user_id) references users (id) on update cascade on delete cascade;
alter table price_rollup add constraint price_rollup_market_condition_id_foreign foreign key (market_condition_id) references market (condition_id) on delete cascade;
alter table sync_failure add constraint sync_failure_job_name_foreign foreign key (job_name) references sync_job (name);
alter table theme add constraint theme_actor_id_foreign foreign key (actor_id) references users (id) on delete set null;
alter table model_call add constraint model_call_actor_id_foreign foreign key (actor_id) references users (id) on delete set null;
alter table event_series add constraint event_series_actor_id_foreign foreign key (actor_id) references users (id) on delete set null;
alter table event_draft add constraint event_draft_actor_id_foreign foreign key (actor_id) references users (id) on delete set null;
alter table event_draft add constraint event_draft_event_id_foreign foreign key (event_id) references event (id) on delete set null;
alter table market_context add constraint market_context_actor_id_foreign foreign key (actor_id) references users (id) on delete set null;
alter table market_context add constraint market_context_market_condition_id_foreign foreign key (market_condition_id) references market (condition_id) on update cascade on delete cascade;
alter table event_search add constraint event_search_event_id_foreign foreign key (event_id) references event (id) on update cascade on delete cascade;
alter table email_verification add constraint email_verification_user_id_foreign foreign key (user_id) references users (id) on delete cascade;
alter table former_tag add constraint former_tag_tag_id_foreign foreign key (tag_id) references tag (id) on delete cascade;

create function audit_hash(before bytea, entry audit_log) returns bytea language sql stable as $$
  select sha256(before || convert_to(jsonb_build_object(
    'position', entry.position, 'id', entry.id, 'at', (extract(epoch from entry.at) * 1000)::bigint, 'actor', entry.actor_id,
    'subject', entry.subject_id, 'action', entry.action, 'client_address', entry.client_address, 'details', entry.details)::text, 'UTF8'))
$$;

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
end $$;

create function audit_keep() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if old.position is null and new.position is not null
      and to_jsonb(new) - 'position' - 'hash' = to_jsonb(old) - 'position' - 'hash' then
      return new;
    end if;
  end if;
  raise exception 'the audit log is only added to' using errcode = 'insufficient_privilege';
end $$;

create function outcome_show() returns trigger language plpgsql as $$
begin
  update market set
    yes_token = coalesce(shown.yes_token, market.yes_token), yes_text = coalesce(shown.yes_text, market.yes_text),
    no_token = coalesce(shown.no_token, market.no_token), no_text = coalesce(shown.no_text, market.no_text)
  from (
    select market_condition_id,
      max(token_id) filter (where index = 0) as yes_token, max(text) filter (where index = 0) as yes_text,
      max(token_id) filter (where index = 1) as no_token, max(text) filter (where index = 1) as no_text
    from written group by market_condition_id
  ) shown
  where condition_id = market_condition_id;
  return null;
end $$;

create function comment_count_likes() returns trigger language plpgsql as $$
begin
  update comment set likes_count = likes_count + case tg_op when 'INSERT' then changed.n else -changed.n end
  from (select comment_id, count(*) as n from marks where kind = 'like' group by comment_id) changed
  where comment.id = changed.comment_id;
  return null;
end $$;

create function site_day_count_shares() returns trigger language plpgsql as $$
begin
  insert into site_day (day, shares) select (at at time zone 'UTC')::date as day, sum(amount) from paid group by 1 order by 1
  on conflict (day) do update set shares = site_day.shares + excluded.shares;
  return null;
end $$;

create function event_terms(event event) returns tsvector language sql stable as $$
  select array_to_tsvector(array(
    select 't/' || term from (
      select event.title as text union all select text from translation where kind = 'event' and subject = event.id
    ) titles cross join search_terms(text) term
    union all
    select 'n/' || term from (
      select string_agg(concat_ws(E'\n', short_title, question, nullif(yes_text, 'Yes'), nullif(no_text, 'No')), E'\n') as text
      from market where event_id = event.id
    ) names cross join search_terms(text) term
    union all
    select 'm/' || term from search_terms(concat_ws(E'\n', event.slug, event.series_slug,
      (select instrument || E'\n' || display_name from price_series where slug = event.series_slug))) term
    union all
    select 'g/' || tag_id from event_tag where event_id = event.id
    union all
    select 's/' || event.status
  ))
$$;

create function event_search_follow() returns trigger language plpgsql as $$
begin
  perform event_search_write(array(select distinct event_id from changed));
  return null;
end $$;

create function event_search_follow_event() returns trigger language plpgsql as $$
begin
  perform event_search_write(array(select id from changed));
  return null;
end $$;

create function event_search_follow_row() returns trigger language plpgsql as $$
begin
  perform event_search_write(array[new.id]);
  return null;
end $$;

create function event_search_follow_market() returns trigger language plpgsql as $$
begin
  perform event_search_write(array[new.event_id]);
  return null;
end $$;

create function event_search_follow_translation() returns trigger language plpgsql as $$
begin
  perform event_search_write(array(select distinct subject from changed where kind = 'event'));
  return null;
end $$;

create function event_search_write(ids uuid[]) returns void language plpgsql as $$
begin
  insert into event_search (event_id, text, terms)
  select id, title_key, event_terms(event) from event where id = any(ids) order by id
  on conflict (event_id) do update set text = excluded.text, terms = excluded.terms, changed = excluded.changed
  where event_search.text <> excluded.text or event_search.terms <> excluded.terms;
end $$;

create trigger event_search_changed after update of title, slug, series_slug, status on event for each row
  when (old.title is distinct from new.title or old.slug is distinct from new.slug or old.series_slug is distinct from new.series_slug or old.status is distinct from new.status)
  execute function event_search_follow_row();
create trigger event_search_inserted after insert on event referencing new table as changed for each statement execute function event_search_follow_event();
create trigger event_search_market_changed after update of short_title, question, yes_text, no_text, event_id on market for each row
  when (old.short_title is distinct from new.short_title or old.question is distinct from new.question or coalesce(old.yes_text, 'Yes') is distinct from coalesce(new.yes_text, 'Yes') or coalesce(old.no_text, 'No') is distinct from coalesce(new.no_text, 'No'))
  execute function event_search_follow_market();
create trigger event_search_market_deleted after delete on market referencing old table as changed for each statement execute function event_search_follow();
create trigger event_search_market_inserted after insert on market referencing new table as changed for each statement execute function event_search_follow();
create trigger outcome_added after insert on outcome referencing new table as written for each statement execute function outcome_show();
create trigger outcome_changed after update on outcome referencing new table as written for each statement execute function outcome_show();
create trigger event_search_event_tag_deleted after delete on event_tag referencing old table as changed for each statement execute function event_search_follow();
create trigger event_search_event_tag_inserted after insert on event_tag referencing new table as changed for each statement execute function event_search_follow();
create trigger event_search_event_tag_updated after update on event_tag referencing new table as changed for each statement execute function event_search_follow();
create constraint trigger audit_log_chain after insert on audit_log deferrable initially deferred for each row execute function audit_chain_new();
create trigger audit_log_keep before delete or update on audit_log for each row execute function audit_keep();
create trigger audit_log_keep_all before truncate on audit_log for each statement execute function audit_keep();
create trigger comment_marked after insert on comment_mark referencing new table as marks for each statement execute function comment_count_likes();
create trigger comment_unmarked after delete on comment_mark referencing old table as marks for each statement execute function comment_count_likes();
create trigger affiliate_share_paid after insert on affiliate_share referencing new table as paid for each statement execute function site_day_count_shares();
create trigger event_search_translation_deleted after delete on translation referencing old table as changed for each statement execute function event_search_follow_translation();
create trigger event_search_translation_insertd after insert on translation referencing new table as changed for each statement execute function event_search_follow_translation();
create trigger event_search_translation_updated after update on translation referencing new table as changed for each statement execute function event_search_follow_translation();

insert into audit_head (id, position, hash) values (1, 0, sha256('augury audit log'));
