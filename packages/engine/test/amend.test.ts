import { test } from 'vitest'
import { holds } from './script.ts'

test('only its owner cancels an order, once, and gets back exactly what it held', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 100
      ok
    place a1 alice BUY YES 10 @ 0.5
      placed a1 live 0 of 10
    place b1 bob BUY NO 4 @ 0.5
      placed b1 filled 4 of 4
      fill 4 @ 0.5 mint b1 <- a1
      ended b1 filled 4 of 4
    cancel alice a9
      refused order_not_found
    cancel bob a1
      refused order_not_owned
    cancel alice a1
      ended a1 cancelled (user) 4 of 10
    cancel alice a1
      refused order_ended (cancelled)
    cancel bob b1
      refused order_ended (filled)
    money alice
      alice: 98, rain-YES 4
  `))

test('an order whose time has come can not be cancelled or amended, swept or not', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    place a1 alice BUY YES 10 @ 0.5 GTD until 60
      placed a1 live 0 of 10
    at 60
    cancel alice a1
      refused order_ended (expired)
    order a1
      a1 expired (expired) 0 of 10
    reduce alice a1 5
      refused order_ended (expired)
    replace a1 with a2 alice BUY YES 5 @ 0.4
      refused order_ended (expired)
    money alice
      alice: 95 (5 held)
    sweep
      done
      ended a1 expired (expired) 0 of 10
    cancel alice a1
      refused order_ended (expired)
    money alice
      alice: 100
  `))

test('an ended order stays addressable for ten minutes', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    place a1 alice BUY YES 10 @ 0.5
      placed a1 live 0 of 10
    at 100
    cancel alice a1
      ended a1 cancelled (user) 0 of 10
    at 699.999
    cancel bob a1
      refused order_not_owned
    order a1
      a1 cancelled (user) 0 of 10
    at 700
    cancel alice a1
      refused order_not_found
    order a1
      a1 is not remembered
  `))

test('cancel-all ends what it names, oldest first', () =>
  holds(`
    market fog
      condition fog registered: open
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    place a1 alice BUY YES 1 @ 0.5
      placed a1 live 0 of 1
    place a2 alice BUY NO 1 @ 0.4
      placed a2 live 0 of 1
    place a3 alice BUY YES 1 @ 0.3 in fog
      placed a3 live 0 of 1
    place a4 alice BUY NO 1 @ 0.3
      placed a4 live 0 of 1
    cancel-all alice NO
      done
      ended a2 cancelled (cancel_all) 0 of 1
      ended a4 cancelled (cancel_all) 0 of 1
    cancel-all alice market
      done
      ended a1 cancelled (cancel_all) 0 of 1
    cancel-all alice
      done
      ended a3 cancelled (cancel_all) 0 of 1
    cancel-all alice
      done
    cancel-all nobody
      done
  `))

test('less of the same order keeps its place in the queue', () =>
  holds(`
    market rain min 2
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 100
      ok
    deposit carol 100
      ok
    place a1 alice BUY NO 10 @ 0.5
      placed a1 live 0 of 10
    place b1 bob BUY NO 10 @ 0.5
      placed b1 live 0 of 10
    reduce alice a1 4
      reduced a1 to 4 (amend)
    money alice
      alice: 98 (2 held)
    place c1 carol BUY YES 5 @ 0.5
      placed c1 filled 5 of 5
      fill 4 @ 0.5 mint c1 <- a1
      ended a1 filled 4 of 4
      fill 1 @ 0.5 mint c1 <- b1
      ended c1 filled 5 of 5
    order a1
      a1 filled 4 of 4
    reduce bob b1 9
      reduced b1 to 9 (amend)
    reduce bob b1 9
      refused not_smaller
    reduce bob b1 10
      refused not_smaller
    reduce bob b1 1.99
      refused size_too_small
    reduce carol b1 5
      refused order_not_owned
    reduce bob b1 3
      reduced b1 to 3 (amend)
    order b1
      b1 partially_filled 1 of 3
  `))

test('an order can not become smaller than what it got', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 100
      ok
    place a1 alice BUY NO 10 @ 0.5
      placed a1 live 0 of 10
    place b1 bob BUY YES 6 @ 0.5
      placed b1 filled 6 of 6
      fill 6 @ 0.5 mint b1 <- a1
      ended b1 filled 6 of 6
    reduce alice a1 6
      refused size_too_small
    reduce alice a1 6.01
      reduced a1 to 6.01 (amend)
    order a1
      a1 partially_filled 6 of 6.01
  `))

test('replace is one step: what the old order held counts for the new one', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 10
      ok
    place a1 alice BUY YES 20 @ 0.5
      placed a1 live 0 of 20
    place a2 alice BUY YES 18 @ 0.55
      refused insufficient_balance (9900000 of 0)
    replace a1 with a2 alice BUY YES 18.19 @ 0.55
      refused insufficient_balance (10004500 of 10000000)
    replace a1 with a2 alice BUY YES 18 @ 0.55
      placed a2 live 0 of 18
      ended a1 cancelled (amend_replaced) 0 of 20
    money alice
      alice: 0.1 (9.9 held)
    book
      bids 0.55x18
      asks -
    replace a1 with a2 alice BUY YES 18 @ 0.55
      again: a2 live 0
  `))

test('replace from one side to the other: the old order does not stand in the way of the new', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 10
      ok
    split alice 10
      ok
    place a1 alice SELL YES 10 @ 0.5
      placed a1 live 0 of 10
    replace a1 with a2 alice SELL YES 10 @ 0.4
      placed a2 live 0 of 10
      ended a1 cancelled (amend_replaced) 0 of 10
    replace a2 with a3 alice SELL NO 10 @ 0.5 post-only
      placed a3 live 0 of 10
      ended a2 cancelled (amend_replaced) 0 of 10
    money alice
      alice: 0, rain-NO 0 (10 held), rain-YES 10
    book
      bids 0.5x10
      asks -
  `))

test('when the new order is refused or rejected the old one stays', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 100
      ok
    place b1 bob BUY NO 10 @ 0.4
      placed b1 live 0 of 10
    place a1 alice BUY YES 10 @ 0.5
      placed a1 live 0 of 10
    replace a1 with a2 alice BUY YES 10 @ 0.605
      refused invalid_price_tick
    replace a1 with a3 alice BUY YES 10 @ 0.6 post-only
      placed a3 rejected (post_only_would_cross) 0 of 10
      ended a3 rejected (post_only_would_cross) 0 of 10
    order a1
      a1 live 0 of 10
    book
      bids 0.5x10
      asks 0.6x10
  `))

test('replace only if so much is filled: what was filled on the way is seen', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 100
      ok
    place a1 alice BUY YES 10 @ 0.5
      placed a1 live 0 of 10
    replace a1 only-if 4 with a2 alice BUY YES 6 @ 0.4
      refused order_ended (live)
    place b1 bob BUY NO 4 @ 0.5
      placed b1 filled 4 of 4
      fill 4 @ 0.5 mint b1 <- a1
      ended b1 filled 4 of 4
    place b2 bob BUY NO 3 @ 0.5
      placed b2 filled 3 of 3
      fill 3 @ 0.5 mint b2 <- a1
      ended b2 filled 3 of 3
    replace a1 only-if 4 with a2 alice BUY YES 6 @ 0.4
      refused order_ended (partially_filled)
    replace a1 only-if 0 with a2 alice BUY YES 10 @ 0.4
      refused order_ended (partially_filled)
    reduce alice a1 8
      reduced a1 to 8 (amend)
    replace a1 only-if 7 with a2 alice BUY YES 3 @ 0.4
      placed a2 live 0 of 3
      ended a1 cancelled (amend_replaced) 7 of 8
    replace a1 only-if 7 with a2 alice BUY YES 3 @ 0.4
      again: a2 live 0
    replace a1 only-if 7 with a3 alice BUY YES 3 @ 0.4
      refused order_ended (cancelled)
    replace a2 only-if 1 anyway with a4 alice BUY YES 2 @ 0.3
      placed a4 live 0 of 2
    replace a2 only-if 0 with a5 alice BUY YES 1 @ 0.3
      placed a5 live 0 of 1
      ended a2 cancelled (amend_replaced) 0 of 3
    money alice
      alice: 95.6 (0.9 held), rain-YES 7
  `))

test('replace only if: unfilled, partially filled; anyway', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 100
      ok
    place a1 alice BUY YES 10 @ 0.5
      placed a1 live 0 of 10
    replace a1 only-if partially_filled with a2 alice BUY YES 5 @ 0.4
      refused order_ended (live)
    place b1 bob BUY NO 4 @ 0.5
      placed b1 filled 4 of 4
      fill 4 @ 0.5 mint b1 <- a1
      ended b1 filled 4 of 4
    replace a1 only-if unfilled with a2 alice BUY YES 5 @ 0.4
      refused order_ended (partially_filled)
    replace a1 only-if partially_filled with a2 alice BUY YES 5 @ 0.4
      placed a2 live 0 of 5
      ended a1 cancelled (amend_replaced) 4 of 10
    replace a1 with a3 alice BUY YES 5 @ 0.3
      refused order_ended (cancelled)
    replace a1 anyway with a3 alice BUY YES 5 @ 0.3
      placed a3 live 0 of 5
    replace a9 with a4 alice BUY YES 5 @ 0.3
      refused order_not_found
    replace a9 anyway with a4 alice BUY YES 5 @ 0.3
      placed a4 live 0 of 5
    replace a4 anyway with b2 bob BUY YES 5 @ 0.3
      refused order_not_owned
    book
      bids 0.4x5 0.3x10
      asks -
  `))
