import { Migration } from '@mikro-orm/migrations'

/** Events, markets, tags, prices and the jobs that keep them true. */
export class Migration20261120000000_catalogue extends Migration {
  override up(): void {
    this.addSql('create extension if not exists pg_trgm')
    this.addSql(`
      create table "sync_job" (
        "name" text not null,
        "holder" uuid null,
        "heartbeat_at" timestamptz(3) null,
        "cursor" text null,
        primary key ("name"));
      alter table "sync_job" add constraint "sync_job_lease" check ((holder is null) = (heartbeat_at is null));
      create table "sync_run" (
        "id" uuid not null default uuidv7(),
        "job_name" text not null,
        "scheduler" text not null,
        "state" text not null default 'running',
        "started_at" timestamptz(3) not null default now(),
        "finished_at" timestamptz(3) null,
        "counters" jsonb not null default '{}',
        "errors" int not null default 0,
        "error_details" jsonb not null default '[]',
        "time_limit_reached" boolean not null default false,
        "message" text null,
        primary key ("id"));
      create index sync_run_by_job on sync_run (job_name, started_at desc);
      create unique index sync_run_one_running on sync_run (job_name) where state = 'running';
      alter table "sync_run" add constraint "sync_run_finished_has_time" check ((state = 'running') = (finished_at is null));
      alter table "sync_run" add constraint "sync_run_errors" check (errors >= 0);
      alter table "sync_run" add constraint "sync_run_state_check" check ("state" in ('running', 'finished', 'failed', 'abandoned'));
      create table "tag" (
        "id" uuid not null default uuidv7(),
        "slug" text not null,
        "name" text not null,
        "is_main_category" boolean not null default false,
        "display_order" int not null default 0,
        primary key ("id"));
      alter table "tag" add constraint "tag_slug_unique" unique ("slug");
      alter table "tag" add constraint "tag_slug_form" check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80);
      alter table "tag" add constraint "tag_name_length" check (length(name) >= 1 and length(name) <= 80);
      create table "event" (
        "id" uuid not null default uuidv7(),
        "slug" text not null,
        "title" text not null,
        "creator" text not null,
        "icon_url" text not null default '',
        "rules" text not null default '',
        "neg_risk" boolean not null default false,
        "neg_risk_market_id" text null,
        "series_slug" text null,
        "series_recurrence" text null,
        "status" text not null default 'draft',
        "main_tag_id" uuid null,
        "active_markets_count" int not null default 0,
        "total_markets_count" int not null default 0,
        "volume" bigint not null default '0',
        "volume_24h" bigint not null default '0',
        "liquidity" bigint not null default '0',
        "ranking_seed" bigint not null default '0',
        "start_date" timestamptz(3) null,
        "end_date" timestamptz(3) null,
        "resolved_at" timestamptz(3) null,
        "created_at" timestamptz(3) not null default now(),
        "updated_at" timestamptz(3) not null default now(),
        primary key ("id"));
      alter table "event" add constraint "event_slug_unique" unique ("slug");
      create index "event_main_tag_id_index" on "event" ("main_tag_id");
      create index event_by_trend on event (status, volume_24h desc, volume desc, ranking_seed desc, created_at desc, id);
      create index event_by_volume on event (status, volume desc, ranking_seed desc, created_at desc, id);
      create index event_by_creation on event (status, created_at desc, id);
      create index event_by_end on event (status, end_date, id);
      create index event_by_title on event using gin (title gin_trgm_ops);
      alter table "event" add constraint "event_slug_form" check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 200);
      alter table "event" add constraint "event_title_length" check (length(title) >= 1 and length(title) <= 400);
      alter table "event" add constraint "event_creator_form" check (creator ~ '^0x[0-9a-f]{40}$');
      alter table "event" add constraint "event_neg_risk_id_form" check (neg_risk_market_id is null or neg_risk and neg_risk_market_id ~ '^0x[0-9a-f]{62}00$');
      alter table "event" add constraint "event_resolved_has_time" check ((status = 'resolved') = (resolved_at is not null));
      alter table "event" add constraint "event_counts" check (active_markets_count >= 0 and active_markets_count <= total_markets_count);
      alter table "event" add constraint "event_money_not_negative" check (volume >= 0 and volume_24h >= 0 and liquidity >= 0 and ranking_seed >= 0);
      alter table "event" add constraint "event_status_check" check ("status" in ('draft', 'active', 'resolved', 'archived'));
      create table "market" (
        "condition_id" text not null,
        "event_id" uuid not null,
        "position" smallint not null,
        "slug" text not null,
        "question_id" text not null,
        "title" text not null,
        "short_title" text not null,
        "question" text not null,
        "rules" text not null default '',
        "resolution_source" text not null default '',
        "resolution_source_url" text not null default '',
        "resolver" text not null,
        "icon_url" text not null default '',
        "end_time" timestamptz(3) not null,
        "grid" smallint not null,
        "min_lots" int not null,
        "fee_bps" smallint not null,
        "registered_at" timestamptz(3) null,
        "is_active" boolean not null default false,
        "is_resolved" boolean not null default false,
        "weight" smallint null,
        "resolution_status" text not null default 'pending',
        "resolution_flagged" boolean not null default false,
        "resolution_paused" boolean not null default false,
        "volume" bigint not null default '0',
        "volume_24h" bigint not null default '0',
        "open_interest" bigint not null default '0',
        "liquidity" bigint not null default '0',
        "active_positions_count" int not null default 0,
        "price" numeric(6,1) not null default 5000,
        "best_bid" smallint null,
        "best_ask" smallint null,
        "last_trade" smallint null,
        "listing_price" smallint not null default 5000,
        "ranking_seed" bigint not null default '0',
        "created_at" timestamptz(3) not null default now(),
        "updated_at" timestamptz(3) not null default now(),
        primary key ("condition_id"));
      alter table "market" add constraint "market_slug_unique" unique ("slug");
      alter table "market" add constraint "market_question_id_unique" unique ("question_id");
      create index market_to_sync on market (condition_id) where registered_at is not null and not is_resolved;
      alter table "market" add constraint "market_position_unique" unique ("event_id", "position");
      alter table "market" add constraint "market_condition_form" check (condition_id ~ '^0x[0-9a-f]{64}$' and question_id ~ '^0x[0-9a-f]{64}$');
      alter table "market" add constraint "market_slug_form" check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 200);
      alter table "market" add constraint "market_resolver_form" check (resolver ~ '^0x[0-9a-f]{40}$');
      alter table "market" add constraint "market_grid" check (grid in (1000, 100, 50, 25, 10, 1));
      alter table "market" add constraint "market_terms" check (min_lots >= 1 and fee_bps >= 0 and fee_bps <= 1000 and position >= 0);
      alter table "market" add constraint "market_active_is_registered" check (not is_active or (registered_at is not null and not is_resolved));
      alter table "market" add constraint "market_resolved_has_weight" check (is_resolved = (weight is not null) and is_resolved = (resolution_status = 'confirmed'));
      alter table "market" add constraint "market_weight" check (weight >= 0 and weight <= 10000);
      alter table "market" add constraint "market_price" check (price >= 0 and price <= 10000 and listing_price >= 0 and listing_price <= 10000);
      alter table "market" add constraint "market_book" check (best_bid >= 1 and best_bid <= 9999 and best_ask >= 1 and best_ask <= 9999 and best_bid < best_ask and last_trade >= 1 and last_trade <= 9999);
      alter table "market" add constraint "market_money_not_negative" check (volume >= 0 and volume_24h >= 0 and open_interest >= 0 and liquidity >= 0 and ranking_seed >= 0 and active_positions_count >= 0);
      alter table "market" add constraint "market_resolution_status_check" check ("resolution_status" in ('pending', 'proposed', 'disputed', 'confirmed'));
      create table "price_point" (
        "market_condition_id" text not null,
        "minute" timestamptz(0) not null,
        "price" numeric(6,1) not null,
        primary key ("market_condition_id", "minute"));
      alter table "price_point" add constraint "price_point_price" check (price >= 0 and price <= 10000);
      alter table "price_point" add constraint "price_point_whole_minute" check (minute = date_trunc('minute', minute, 'UTC'));
      create table "outcome" (
        "token_id" text not null,
        "market_condition_id" text not null,
        "index" smallint not null,
        "text" text not null,
        primary key ("token_id"));
      alter table "outcome" add constraint "outcome_index_unique" unique ("market_condition_id", "index");
      alter table "outcome" add constraint "outcome_token_form" check (token_id ~ '^[1-9][0-9]{0,77}$');
      alter table "outcome" add constraint "outcome_index" check (index in (0, 1));
      alter table "outcome" add constraint "outcome_text_length" check (length(text) >= 1 and length(text) <= 100);
      create table "event_tag" (
        "event_id" uuid not null,
        "tag_id" uuid not null,
        "position" smallint not null,
        primary key ("event_id", "tag_id"));
      create index "event_tag_tag_id_index" on "event_tag" ("tag_id");
      alter table "event_tag" add constraint "event_tag_position_unique" unique ("event_id", "position");
      alter table "event_tag" add constraint "event_tag_position" check (position >= 0);
      create table "tag_parent" (
        "child_id" uuid not null,
        "parent_id" uuid not null,
        primary key ("child_id", "parent_id"));
      create index "tag_parent_parent_id_index" on "tag_parent" ("parent_id");
      alter table "tag_parent" add constraint "tag_parent_not_itself" check (child_id <> parent_id);
      alter table "sync_run" add constraint "sync_run_job_name_foreign" foreign key ("job_name") references "sync_job" ("name");
      alter table "event" add constraint "event_main_tag_id_foreign" foreign key ("main_tag_id") references "tag" ("id") on delete set null;
      alter table "market" add constraint "market_event_id_foreign" foreign key ("event_id") references "event" ("id");
      alter table "price_point" add constraint "price_point_market_condition_id_foreign" foreign key ("market_condition_id") references "market" ("condition_id") on delete cascade;
      alter table "outcome" add constraint "outcome_market_condition_id_foreign" foreign key ("market_condition_id") references "market" ("condition_id") on delete cascade;
      alter table "event_tag" add constraint "event_tag_event_id_foreign" foreign key ("event_id") references "event" ("id") on update cascade on delete cascade;
      alter table "event_tag" add constraint "event_tag_tag_id_foreign" foreign key ("tag_id") references "tag" ("id") on update cascade on delete cascade;
      alter table "tag_parent" add constraint "tag_parent_child_id_foreign" foreign key ("child_id") references "tag" ("id") on update cascade on delete cascade;
      alter table "tag_parent" add constraint "tag_parent_parent_id_foreign" foreign key ("parent_id") references "tag" ("id") on update cascade on delete cascade;
    `)
  }
}
