/** Fills that a row of an order tells at most, the newest. */
export const FILLS_TOLD = 100

/** SQL of what an account `owner` paid in fees for the trade `alias`: with the first of a command, all that the others of it did not name. */
export const feeOf = (alias: string, owner: string): string => `
  case when ${alias}.n > 1 then ${alias}.fee else
    (select coalesce(sum(-delta), 0) from ledger_entry e where e.stream = $1 and e.seq = ${alias}.seq and e.account = ${owner} and reason = 'fee')
    - (select coalesce(sum(fee), 0) from trade t where t.stream = $1 and t.seq = ${alias}.seq and t.n > 1) end`

/** The trades of which a list is made: SQL conditions on trades as taker and on fills as maker, and its order with its limit. */
interface OrderedTrades {
  taken: string
  made: string
  last: string
  owner: string
}

/**
 * SQL of the orders of an account that traded, each as of its last fill, with the newest of its fills inside: an order has one row wherever a
 * page ends. An order that took from the book first and rested then is one, too.
 */
export const orderMovements = ({ taken, made, last, owner }: OrderedTrades): string => `
  (select mark.seq, mark.n, mark.at, 'TRADE' as type, mark.condition_id, mark.outcome, mark.side, filled.lots, filled.usdc, filled.fee,
     false as several, filled.fills
   from (
     (select seq, n, at, condition_id, outcome, side, taker_order_id as order_id from trade own
      where ${taken} and not exists (
        select from trade t where t.stream = own.stream and t.seq = own.seq and t.taker_order_id = own.taker_order_id and t.n > own.n
      ) and not exists (select from fill f where f.stream = own.stream and f.maker_order_id = own.taker_order_id) ${last})
     union all
     (select seq, n, at, condition_id, maker_outcome, maker_side, maker_order_id from fill own
      where ${made} and not exists (
        select from fill f where f.stream = own.stream and f.maker_order_id = own.maker_order_id and (f.seq, f.n) > (own.seq, own.n)
      ) ${last})
   ) mark cross join lateral (
     select sum(lots) as lots, sum(lots * price) as usdc, sum(fee) as fee, to_jsonb((
       array_agg(jsonb_build_object('seq', seq, 'n', n, 'at', at, 'price', price, 'lots', lots, 'fee', fee) order by seq desc, n desc)
     )[1:${FILLS_TOLD}]) as fills
     from (
       select taken.seq, taken.n, taken.at, taken.price, taken.lots, ${feeOf('taken', owner)} as fee
       from placement p join trade taken on taken.stream = p.stream and taken.seq = p.seq and taken.taker_order_id = p.order_id
       where p.stream = $1 and p.order_id = mark.order_id
       union all
       select seq, trade_n, min(at), maker_price, sum(lots), 0 from fill
       where stream = $1 and maker_order_id = mark.order_id group by seq, trade_n, maker_price
     ) part
   ) filled)`
