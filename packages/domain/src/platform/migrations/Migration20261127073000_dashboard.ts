import { Migration } from '@mikro-orm/migrations'

/** The key figures of a site are found in indexes and in the totals of its days, without reading every market, event and share there is. */
export class Migration20261127073000_dashboard extends Migration {
  override up(): void {
    this.addSql(`
      create index event_by_creator on event (creator) include (volume, volume_24h);
      create index event_paused on event (id) where paused_at is not null;
      create index market_to_look_at on market (event_id)
        where not is_resolved and (resolution_status <> 'pending' or resolution_flagged or registered_at is null);
      create index market_active on market (event_id) where is_active;
      create index market_with_interest on market (event_id) include (open_interest, event_interest) where open_interest > 0 or event_interest > 0;
      alter table "site_day" drop constraint "site_day_not_negative";
      alter table "site_day" add "shares" bigint not null default '0';
      alter table "site_day" add constraint "site_day_not_negative" check (volume >= 0 and fees >= 0 and shares >= 0 and trades >= 0 and open_interest >= 0 and members >= 0);
    `)
    this.addSql(COUNT)
    // Before the shares of the past are counted: from here on no other transaction can write more of them until the migration is committed.
    this.addSql(
      'create trigger affiliate_share_paid after insert on affiliate_share referencing new table as paid for each statement execute function site_day_count_shares()',
    )
    this.addSql(`
      insert into site_day (day, shares) select (at at time zone 'UTC')::date, sum(amount) from affiliate_share group by 1
      on conflict (day) do update set shares = excluded.shares`)
  }
}

const COUNT = `
  create function site_day_count_shares() returns trigger language plpgsql as $$
  begin
    insert into site_day (day, shares) select (at at time zone 'UTC')::date as day, sum(amount) from paid group by 1 order by 1
    on conflict (day) do update set shares = site_day.shares + excluded.shares;
    return null;
  end $$`
