import { Migration } from '@mikro-orm/migrations'

/** Reference prices, recurring series, and how markets are resolved and paid. */
export class Migration20261120134000_endings extends Migration {
  override up(): void {
    this.addSql(`
      alter table "market" add column "proposed_weight" smallint null, add column "resolution_deadline_at" timestamptz(3) null;
      alter table "market" drop constraint "market_weight";
      alter table "market" add constraint "market_weight" check (weight >= 0 and weight <= 10000 and proposed_weight >= 0 and proposed_weight <= 10000);
      alter table "market" add constraint "market_proposal" check ((proposed_weight is not null) = (resolution_status in ('proposed', 'disputed')) and (proposed_weight is null or resolution_deadline_at is not null));
      create index market_to_end on market (end_time) where registered_at is not null and not is_resolved;
      create index market_to_confirm on market (resolution_deadline_at) where resolution_status = 'proposed';
      create table "price_feed" (
        "source" text not null,
        "instrument" text not null,
        "interval" text not null,
        "name" text not null,
        "simulated" boolean not null,
        "checked_at" timestamptz(3) null,
        "failed_at" timestamptz(3) null,
        "failure" text not null default '',
        "gaps_asked_at" timestamptz(3) null,
        "live_start" timestamptz(3) null,
        "live_end" timestamptz(3) null,
        "live_opening_price" numeric(24,12) null,
        "live_price" numeric(24,12) null,
        "live_timestamp" timestamptz(3) null,
        primary key ("source", "instrument", "interval"));
      create table "price_mark" (
        "source" text not null,
        "instrument" text not null,
        "interval" text not null,
        "window_end" timestamptz(3) not null,
        "window_start" timestamptz(3) not null,
        "price" numeric(24,12) not null,
        "source_timestamp" timestamptz(3) not null,
        "received_at" timestamptz(3) not null,
        primary key ("source", "instrument", "interval", "window_end"));
      create table "price_mark_correction" (
        "id" uuid not null default uuidv7(),
        "source" text not null,
        "instrument" text not null,
        "interval" text not null,
        "window_end" timestamptz(3) not null,
        "old_price" numeric(24,12) not null,
        "new_price" numeric(24,12) not null,
        "noticed_at" timestamptz(3) not null,
        primary key ("id"));
      create table "price_series" (
        "slug" text not null,
        "instrument" text not null,
        "interval" text not null,
        "source" text not null,
        "display_name" text not null,
        "symbol_a" text not null default '',
        "symbol_b" text not null default '',
        "enabled" boolean not null default true,
        "recurring" boolean not null default false,
        "category" text not null default 'crypto',
        "ahead" smallint not null default 2,
        "settlement_seconds" int not null default 300,
        "dispute_seconds" int not null default 300,
        "created_at" timestamptz(3) not null default now(),
        primary key ("slug"));
      create table "settlement" (
        "market_condition_id" text not null,
        "closed_at" timestamptz(3) null,
        "resolved_at" timestamptz(3) null,
        "told_at" timestamptz(3) null,
        "paid_at" timestamptz(3) null,
        "mirrored" boolean not null default false,
        primary key ("market_condition_id"));
      create index settlement_to_mirror on settlement (market_condition_id) where not mirrored;
      create index settlement_unpaid on settlement (market_condition_id) where paid_at is null;
      create table "resolution_step" (
        "id" uuid not null default uuidv7(),
        "market_condition_id" text not null,
        "step" text not null,
        "at" timestamptz(3) not null,
        "actor_kind" text not null,
        "actor" text not null default '',
        "user_id" uuid null,
        "weight" smallint null,
        "deadline_at" timestamptz(3) null,
        "note" text not null default '',
        primary key ("id"));
      create index "resolution_step_user_id_index" on "resolution_step" ("user_id");
      create index resolution_step_by_market on resolution_step (market_condition_id, at, id);
      create unique index resolution_step_once on resolution_step (market_condition_id, step) where step in ('closed', 'confirmed', 'settled', 'paid');
      alter table "price_feed" add constraint "price_feed_failure_has_time" check ((failed_at is null) = (failure = ''));
      alter table "price_feed" add constraint "price_feed_live_window" check (num_nulls(live_start, live_end, live_opening_price, live_price, live_timestamp) in (0, 5) and live_start < live_end and live_opening_price > 0 and live_price > 0);
      alter table "price_feed" add constraint "price_feed_source_check" check ("source" in ('oracle_a', 'oracle_b'));
      alter table "price_feed" add constraint "price_feed_interval_check" check ("interval" in ('5m', '15m', '1h', '4h', '1d'));
      alter table "price_mark" add constraint "price_mark_price" check (price > 0);
      alter table "price_mark" add constraint "price_mark_whole_window" check (window_end - window_start = case interval when '5m' then interval '5 min' when '15m' then interval '15 min'
        when '1h' then interval '1 hour' when '4h' then interval '4 hours' else interval '24 hours' end
        and extract(epoch from window_end) % extract(epoch from window_end - window_start) = 0);
      alter table "price_mark" add constraint "price_mark_not_from_after" check (source_timestamp <= window_end);
      alter table "price_mark" add constraint "price_mark_source_check" check ("source" in ('oracle_a', 'oracle_b'));
      alter table "price_mark" add constraint "price_mark_interval_check" check ("interval" in ('5m', '15m', '1h', '4h', '1d'));
      alter table "price_mark_correction" add constraint "price_mark_correction_changes" check (new_price <> old_price);
      alter table "price_mark_correction" add constraint "price_mark_correction_source_check" check ("source" in ('oracle_a', 'oracle_b'));
      alter table "price_mark_correction" add constraint "price_mark_correction_interval_check" check ("interval" in ('5m', '15m', '1h', '4h', '1d'));
      alter table "price_series" add constraint "price_series_slug_form" check (slug ~ '^[a-z0-9]+-[a-z0-9]+-(5m|15m|1h|4h|1d)$' and slug like '%-' || interval);
      alter table "price_series" add constraint "price_series_texts" check (length(slug) <= 60 and length(instrument) >= 1 and length(instrument) <= 40 and length(display_name) >= 1 and length(display_name) <= 80 and length(symbol_a) <= 100 and length(symbol_b) <= 100);
      alter table "price_series" add constraint "price_series_category_form" check (category ~ '^[a-z0-9]+(-[a-z0-9]+)*$');
      alter table "price_series" add constraint "price_series_has_symbol" check (case source when 'oracle_a' then symbol_a <> '' else symbol_b <> '' end);
      alter table "price_series" add constraint "price_series_recurrence" check (ahead >= 1 and ahead <= 12 and settlement_seconds >= 0 and dispute_seconds >= 0);
      alter table "price_series" add constraint "price_series_interval_check" check ("interval" in ('5m', '15m', '1h', '4h', '1d'));
      alter table "price_series" add constraint "price_series_source_check" check ("source" in ('oracle_a', 'oracle_b'));
      alter table "settlement" add constraint "settlement_market_condition_id_foreign" foreign key ("market_condition_id") references "market" ("condition_id") on update cascade on delete cascade;
      alter table "settlement" add constraint "settlement_order" check ((resolved_at is null or closed_at is not null) and (told_at is null or resolved_at is not null) and (paid_at is null or told_at is not null));
      alter table "resolution_step" add constraint "resolution_step_market_condition_id_foreign" foreign key ("market_condition_id") references "market" ("condition_id") on delete cascade;
      alter table "resolution_step" add constraint "resolution_step_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete set null;
      alter table "resolution_step" add constraint "resolution_step_weight" check (weight >= 0 and weight <= 10000 and (step not in ('proposed', 'confirmed') or weight is not null));
      alter table "resolution_step" add constraint "resolution_step_deadline" check (step = 'proposed' or deadline_at is null);
      alter table "resolution_step" add constraint "resolution_step_texts" check (length(note) <= 2000 and length(actor) <= 200);
      alter table "resolution_step" add constraint "resolution_step_step_check" check ("step" in ('closed', 'proposed', 'disputed', 'cancelled', 'confirmed', 'settled', 'paid', 'flagged', 'unflagged', 'paused', 'resumed'));
      alter table "resolution_step" add constraint "resolution_step_actor_kind_check" check ("actor_kind" in ('operator', 'series', 'clock'));
    `)
  }
}
