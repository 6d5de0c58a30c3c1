import { test } from 'vitest'
import { holds } from './script.ts'

test('a limit order rests at its price and holds exactly what it may cost', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    split alice 10
      ok
    place a1 alice BUY YES 40 @ 0.55
      placed a1 live 0 of 40
    place a2 alice BUY NO 10 @ 0.3
      placed a2 live 0 of 10
    place a3 alice SELL YES 6 @ 0.9
      placed a3 live 0 of 6
    money alice
      alice: 65 (25 held), rain-NO 10, rain-YES 4 (6 held)
    book
      bids 0.55x40
      asks 0.7x10 0.9x6
    book NO
      bids 0.3x10 0.1x6
      asks 0.45x40
  `))

test('the book of No is the mirror image of the book of Yes', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    place a1 alice BUY YES 10 @ 0.4
      placed a1 live 0 of 10
    place a2 alice BUY YES 5 @ 0.41
      placed a2 live 0 of 5
    place a3 alice BUY NO 7 @ 0.35
      placed a3 live 0 of 7
    book
      bids 0.41x5 0.4x10
      asks 0.65x7
    book NO
      bids 0.35x7
      asks 0.59x5 0.6x10
  `))

test('a price off the grid is refused before one out of range', () =>
  holds(`
    market rain tick 0.01
      condition rain registered: open
    deposit alice 100
      ok
    place a1 alice BUY YES 10 @ 0.555
      refused invalid_price_tick
    place a2 alice BUY YES 10 @ 0
      refused price_out_of_range
    place a3 alice BUY YES 10 @ 1
      refused price_out_of_range
    place a4 alice BUY YES 10 @ 0.01
      placed a4 live 0 of 10
    place a5 alice BUY YES 10 @ 0.99 FAK
      placed a5 rejected (fak_no_match) 0 of 10
      ended a5 rejected (fak_no_match) 0 of 10
  `))

test('a resting order has a smallest size; one that never rests may be smaller', () =>
  holds(`
    market rain min 5
      condition rain registered: open
    deposit alice 100
      ok
    split alice 10
      ok
    place a1 alice BUY YES 4.99 @ 0.5
      refused size_too_small
    place a2 alice BUY YES 5 @ 0.5
      placed a2 live 0 of 5
    place a3 alice BUY YES 40000000.01 @ 0.5
      refused size_too_large
    place a4 alice SELL YES 0 @ 0.5 FAK
      refused size_too_small
    deposit bob 100
      ok
    split bob 1
      ok
    place b1 bob SELL YES 1 @ 0.5 FAK
      placed b1 filled 1 of 1
      fill 1 @ 0.5 direct b1 <- a2
      ended b1 filled 1 of 1
  `))

test('a BUY that matches on arrival has a smallest notional; one that only rests does not', () =>
  holds(`
    market rain min-notional 1
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 100
      ok
    place a1 alice BUY YES 1 @ 0.5
      placed a1 live 0 of 1
    place a2 alice BUY NO 10 @ 0.4
      placed a2 live 0 of 10
    place b1 bob BUY YES 1 @ 0.6
      refused amount_too_small
    place b2 bob BUY YES $0.99 @ 0.6 FAK
      refused amount_too_small
    place b3 bob BUY YES $1 @ 0.6 FAK
      placed b3 filled 1.66 of 1.66
      fill 1.66 @ 0.6 mint b3 <- a2
      ended b3 filled 1.66 of 1.66
  `))

test('only GTD has an expiration, and it lies ahead', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    at 100
    place a1 alice BUY YES 10 @ 0.5 GTD
      refused invalid_expiration
    place a2 alice BUY YES 10 @ 0.5 GTD until 100
      refused invalid_expiration
    place a3 alice BUY YES 10 @ 0.5 GTD until 101
      placed a3 live 0 of 10
    place a4 alice BUY YES 10 @ 0.5 until 101
      refused invalid_expiration
  `))

test('FOK fills whole or changes nothing', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 100
      ok
    place a1 alice BUY NO 10 @ 0.5
      placed a1 live 0 of 10
    place a2 alice BUY NO 10 @ 0.4
      placed a2 live 0 of 10
    place b1 bob BUY YES 15 @ 0.5 FOK
      placed b1 rejected (fok_not_filled) 0 of 15
      ended b1 rejected (fok_not_filled) 0 of 15
    place b2 bob BUY YES 20.01 @ 0.6 FOK
      placed b2 rejected (fok_not_filled) 0 of 20.01
      ended b2 rejected (fok_not_filled) 0 of 20.01
    place b3 bob BUY YES 15 @ 0.6 FOK
      placed b3 filled 15 of 15
      fill 10 @ 0.5 mint b3 <- a1
      ended a1 filled 10 of 10
      fill 5 @ 0.6 mint b3 <- a2
      ended b3 filled 15 of 15
    book
      bids -
      asks 0.6x5
    money bob
      bob: 92, rain-YES 15
  `))

test('FAK fills what it can; nothing at all is a rejection', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 100
      ok
    place a1 alice BUY NO 10 @ 0.5
      placed a1 live 0 of 10
    place b1 bob BUY YES 15 @ 0.49 FAK
      placed b1 rejected (fak_no_match) 0 of 15
      ended b1 rejected (fak_no_match) 0 of 15
    place b2 bob BUY YES 15 @ 0.5 FAK
      placed b2 cancelled (fak_remainder) 10 of 15
      fill 10 @ 0.5 mint b2 <- a1
      ended a1 filled 10 of 10
      ended b2 cancelled (fak_remainder) 10 of 15
    order b2
      b2 cancelled (fak_remainder) 10 of 15
    money bob
      bob: 95, rain-YES 10
    book
      bids -
      asks -
  `))

test('post-only rests or is rejected, against the mirrored book too, and never with FOK or FAK', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 100
      ok
    place a1 alice BUY NO 10 @ 0.4
      placed a1 live 0 of 10
    place b1 bob BUY YES 10 @ 0.6 post-only
      placed b1 rejected (post_only_would_cross) 0 of 10
      ended b1 rejected (post_only_would_cross) 0 of 10
    place b2 bob BUY YES 10 @ 0.59 post-only
      placed b2 live 0 of 10
    place b3 bob BUY YES 10 @ 0.59 FAK post-only
      refused post_only_type
    place a2 alice BUY NO 10 @ 0.4 post-only
      placed a2 live 0 of 10
    place a3 alice BUY YES 10 @ 0.6 post-only
      placed a3 rejected (post_only_would_cross) 0 of 10
      ended a3 rejected (post_only_would_cross) 0 of 10
  `))

test('funds are exact: cost, fee and the hold of the rest', () =>
  holds(`
    market rain fee 700
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 6.0175
      ok
    place a1 alice BUY NO 1 @ 0.5
      placed a1 live 0 of 1
    place b1 bob BUY YES 11.01 @ 0.55
      refused insufficient_balance (6023000 of 6017500)
    place b2 bob BUY YES 11 @ 0.55
      placed b2 partially_filled 1 of 11
      fill 1 @ 0.5 mint b2 <- a1 fee 0.0175
      ended a1 filled 1 of 1
    money bob
      bob: 0 (5.5 held), rain-YES 1
    place b3 bob SELL YES 1.01 @ 0.9
      refused insufficient_shares (101 of 100)
    place b4 bob SELL YES 1 @ 0.9
      placed b4 live 0 of 1
    place b5 bob SELL YES 0.01 @ 0.9
      refused insufficient_shares (1 of 0)
  `))

test('open orders have a cap by tier', () => {
  const placed = Array.from({ length: 2_000 }, (_, i) => [`place a${i} alice BUY YES 0.01 @ 0.5`, `  placed a${i} live 0 of 0.01`]).flat()
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    ${placed.join('\n    ')}
    place b1 alice BUY YES 0.01 @ 0.5
      refused too_many_orders
    replace a0 with a2000 alice BUY YES 0.01 @ 0.4
      placed a2000 live 0 of 0.01
      ended a0 cancelled (amend_replaced) 0 of 0.01
    account alice tier 1
      account alice
    place b1 alice BUY YES 0.01 @ 0.5
      placed b1 live 0 of 0.01
  `)
})
