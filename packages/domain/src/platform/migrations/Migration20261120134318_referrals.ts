import { Migration } from '@mikro-orm/migrations'

/** Who joined by whose link and what that earned, how far members were told of the exchange, and withdrawals that wait. */
export class Migration20261120134318_referrals extends Migration {
  override up(): void {
    this.addSql(`
      create table "affiliate_share" (
        "seq" bigint not null,
        "at" timestamptz(3) not null,
        "condition_id" text not null,
        "taker" text not null,
        "referrer" text not null,
        "volume" bigint not null,
        "fee" bigint not null,
        "amount" bigint not null,
        primary key ("seq"));
      create index affiliate_share_by_referrer on affiliate_share (referrer, seq desc);
      create table "referral" (
        "user_id" uuid not null,
        "referrer_id" uuid not null,
        "status" text not null default 'pending',
        "created_at" timestamptz(3) not null,
        primary key ("user_id"));
      create index "referral_referrer_id_index" on "referral" ("referrer_id");
      create index referral_to_tell on referral (user_id) where status = 'pending';
      create table "notice_cursor" ("user_id" uuid not null, "seq" bigint not null, primary key ("user_id"));
      alter table "market" drop constraint "market_terms";
      alter table "market" add "affiliate_bps" smallint not null default 0;
      alter table "market" add constraint "market_terms" check (min_lots >= 1 and fee_bps >= 0 and fee_bps <= 1000 and affiliate_bps >= 0 and affiliate_bps <= 10000 and position >= 0);
      alter table "withdrawal" drop constraint "withdrawal_status_check";
      alter table "withdrawal" drop constraint "withdrawal_times";
      alter table "withdrawal" add "held_until" timestamptz(3) null;
      alter table "withdrawal" add constraint "withdrawal_waits_until" check (status <> 'requested' or held_until is not null);
      alter table "withdrawal" add constraint "withdrawal_status_check" check ("status" in ('requested', 'approved', 'sent', 'settled', 'returned', 'refused', 'cancelled'));
      alter table "withdrawal" add constraint "withdrawal_times" check (updated_at >= created_at and held_until > created_at);
      drop index withdrawal_to_pursue;
      create index withdrawal_to_pursue on withdrawal (id) where status in ('requested', 'approved', 'sent');
      alter table "affiliate_share" add constraint "affiliate_share_addresses" check (referrer ~ '^0x[0-9a-f]{40}$' and taker ~ '^0x[0-9a-f]{40}$' and referrer <> taker);
      alter table "affiliate_share" add constraint "affiliate_share_condition_form" check (condition_id ~ '^0x[0-9a-f]{64}$');
      alter table "affiliate_share" add constraint "affiliate_share_amounts" check (amount > 0 and fee >= amount and volume > 0);
      alter table "referral" add constraint "referral_user_id_foreign" foreign key ("user_id") references "users" ("id") on update cascade on delete cascade;
      alter table "referral" add constraint "referral_referrer_id_foreign" foreign key ("referrer_id") references "users" ("id") on delete cascade;
      alter table "referral" add constraint "referral_not_of_oneself" check (user_id <> referrer_id);
      alter table "referral" add constraint "referral_status_check" check ("status" in ('pending', 'counted', 'taken'));
      alter table "notice_cursor" add constraint "notice_cursor_user_id_foreign" foreign key ("user_id") references "users" ("id") on update cascade on delete cascade;
      alter table "notice_cursor" add constraint "notice_cursor_not_negative" check (seq >= 0);
    `)
  }
}
