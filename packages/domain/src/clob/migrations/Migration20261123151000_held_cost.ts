import { Migration } from '@mikro-orm/migrations'

/**
 * Cost of the shares an account holds: what came at its price, what went at the average of what was there. Of one command, what came
 * came first. What happened before is worked out from the facts, as far as positions have them.
 */
export class Migration20261123151000_held_cost extends Migration {
  override up(): void {
    // Each move is what came, its cost, and what went. The average is rounded half up, and exact where nothing is left.
    this.addSql(`
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
      end $$`)
    this.addSql('alter table "position" add "merged_lots" bigint not null default 0, add "held_cost" bigint not null default 0')
    this.addSql(`
      update "position" p set merged_lots = moved.merged, held_cost = cost_of_held(0, 0, moved.moves)
      from (
        select stream, account, condition_id, outcome, sum(merged) as merged, array_agg(array[came, cost, went] order by seq, went) as moves
        from (
          select stream, seq, account, condition_id, outcome, case reason when 'merge' then -delta else 0 end as merged,
            case reason when 'split' then delta else 0 end as came, case reason when 'split' then delta * 5000 else 0 end as cost,
            case when reason in ('merge', 'redeem') then -delta else 0 end as went
          from ledger_entry where condition_id is not null and reason in ('split', 'merge', 'redeem')
          union all
          select stream, seq, account, condition_id, outcome, 0, case side when 'BUY' then lots else 0 end,
            case side when 'BUY' then lots * price else 0 end, case side when 'SELL' then lots else 0 end
          from (
            select stream, seq, taker_account as account, condition_id, outcome, side, price, lots from trade
            union all
            select stream, seq, maker_account, condition_id, maker_outcome, maker_side, maker_price, lots from fill
          ) traded
          union all
          select stream, seq, account, condition_id, outcome, 0, greatest(delta, 0),
            case outcome when 0 then 10000 * delta / answers else 0 end, greatest(-delta, 0)
          from (
            select *, count(*) over (partition by stream, seq) as answers from ledger_entry
            where reason = 'convert' and condition_id is not null
          ) conversion
        ) move join projection using (stream)
        where seq <= folded_seq
        group by 1, 2, 3, 4
      ) moved
      where (p.stream, p.account, p.condition_id, p.outcome) = (moved.stream, moved.account, moved.condition_id, moved.outcome)`)
    this.addSql('alter table "position" add constraint "position_cost" check (merged_lots >= 0 and held_cost >= 0)')
  }
}
