import { test } from 'vitest'
import { holds } from './script.ts'

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
