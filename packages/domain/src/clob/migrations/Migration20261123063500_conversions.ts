import { Migration } from '@mikro-orm/migrations'

/**
 * What conversions are taken to be worth, so that gains add up to the money that was made. What was converted before is worked out from the
 * ledger, as far as positions have it: of n answers a Yes is worth a part, a No the others, and what does not divide is a loss of the first No.
 */
export class Migration20261123063500_conversions extends Migration {
  override up(): void {
    this.addSql(
      'alter table "position" add "converted_lots" bigint not null default 0, add "converted_cost" bigint not null default 0',
    )
    this.addSql(`
      update "position" p set converted_lots = moved.lots, converted_cost = moved.cost
      from (
        select stream, account, condition_id, outcome, sum(delta) as lots, sum(case outcome when 0 then 10000 * delta / answers
          else 10000 * delta - 10000 * delta / answers - case first when n then 10000 * delta % answers else 0 end end) as cost
        from (
          select entry.*, count(*) over (partition by stream, seq) as answers,
            min(n) filter (where outcome = 1) over (partition by stream, seq) as first
          from ledger_entry entry join projection using (stream)
          where reason = 'convert' and condition_id is not null and seq <= folded_seq
        ) entry
        group by 1, 2, 3, 4
      ) moved
      where (p.stream, p.account, p.condition_id, p.outcome) = (moved.stream, moved.account, moved.condition_id, moved.outcome)`)
    this.addSql(`
      alter table "position" add constraint "position_converted"
        check (case outcome when 0 then converted_lots >= 0 and converted_cost >= 0 else converted_lots <= 0 and converted_cost <= 0 end)`)
  }
}
