import { test } from 'vitest'
import { holds } from './script.ts'

const BOOK = `
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 100
      ok
    place b1 bob BUY NO 5 @ 0.5
      placed b1 live 0 of 5
    place a1 alice BUY NO 5 @ 0.49
      placed a1 live 0 of 5
    place b2 bob BUY NO 5 @ 0.48
      placed b2 live 0 of 5`

test('expire_maker: own makers that are met end, and the taker goes on', () =>
  holds(`${BOOK}
    place a2 alice BUY YES 10 @ 0.52
      placed a2 filled 10 of 10
      fill 5 @ 0.5 mint a2 <- b1
      ended b1 filled 5 of 5
      ended a1 cancelled (stp) 0 of 5
      fill 5 @ 0.52 mint a2 <- b2
      ended b2 filled 5 of 5
      ended a2 filled 10 of 10
    money alice
      alice: 94.9, rain-YES 10
    book
      bids -
      asks -
  `))

test('expire_maker: own makers behind the last fill stay', () =>
  holds(`${BOOK}
    place a2 alice BUY YES 5 @ 0.52
      placed a2 filled 5 of 5
      fill 5 @ 0.5 mint a2 <- b1
      ended b1 filled 5 of 5
      ended a2 filled 5 of 5
    book
      bids -
      asks 0.51x5 0.52x5
  `))

test('expire_taker: the taker ends where it meets its own order', () =>
  holds(`${BOOK}
    place a2 alice BUY YES 10 @ 0.52 stp expire_taker
      placed a2 cancelled (stp) 5 of 10
      fill 5 @ 0.5 mint a2 <- b1
      ended b1 filled 5 of 5
      ended a2 cancelled (stp) 5 of 10
    book
      bids -
      asks 0.51x5 0.52x5
  `))

test('expire_both: both end', () =>
  holds(`${BOOK}
    place a2 alice BUY YES 10 @ 0.52 stp expire_both
      placed a2 cancelled (stp) 5 of 10
      fill 5 @ 0.5 mint a2 <- b1
      ended b1 filled 5 of 5
      ended a1 cancelled (stp) 0 of 5
      ended a2 cancelled (stp) 5 of 10
    book
      bids -
      asks 0.52x5
  `))

test('decrement: the smaller ends and the larger gets smaller by it', () =>
  holds(`${BOOK}
    place a2 alice BUY YES 13 @ 0.52 stp decrement
      placed a2 filled 8 of 8
      fill 5 @ 0.5 mint a2 <- b1
      ended b1 filled 5 of 5
      ended a1 cancelled (stp) 0 of 5
      fill 3 @ 0.52 mint a2 <- b2
      reduced a2 to 8 (stp)
      ended a2 filled 8 of 8
    order a2
      a2 filled 8 of 8
    place b3 bob BUY NO 10 @ 0.5
      placed b3 live 0 of 10
    place b4 bob BUY YES 4 @ 0.5 stp decrement
      placed b4 cancelled (stp) 0 of 4
      reduced b3 to 6 (stp)
      ended b4 cancelled (stp) 0 of 4
    book
      bids -
      asks 0.5x6 0.52x2
    money bob
      bob: 92.1 (3.96 held), rain-NO 8
  `))

test('none: an account may trade with itself', () =>
  holds(`${BOOK}
    place a2 alice BUY YES 10 @ 0.52 stp none
      placed a2 filled 10 of 10
      fill 5 @ 0.5 mint a2 <- b1
      ended b1 filled 5 of 5
      fill 5 @ 0.51 mint a2 <- a1
      ended a1 filled 5 of 5
      ended a2 filled 10 of 10
    money alice
      alice: 92.5, rain-NO 5, rain-YES 10
  `))

test('a group of accounts is one owner', () =>
  holds(`${BOOK}
    account alice group 7
      account alice
    account bob group 7
      account bob
    place a2 alice BUY YES 10 @ 0.52
      placed a2 live 0 of 10
      ended b1 cancelled (stp) 0 of 5
      ended a1 cancelled (stp) 0 of 5
      ended b2 cancelled (stp) 0 of 5
    book
      bids 0.52x10
      asks -
  `))

test('a FOK counts only others; in every other mode meeting itself is a rejection', () =>
  holds(`${BOOK}
    place f1 alice BUY YES 11 @ 0.52 FOK
      placed f1 rejected (fok_not_filled) 0 of 11
      ended f1 rejected (fok_not_filled) 0 of 11
    place f2 alice BUY YES 10 @ 0.52 FOK stp expire_taker
      placed f2 rejected (self_trade) 0 of 10
      ended f2 rejected (self_trade) 0 of 10
    place f3 alice BUY YES 10 @ 0.52 FOK stp expire_both
      placed f3 rejected (self_trade) 0 of 10
      ended f3 rejected (self_trade) 0 of 10
    place f4 alice BUY YES 10 @ 0.52 FOK stp decrement
      placed f4 rejected (self_trade) 0 of 10
      ended f4 rejected (self_trade) 0 of 10
    place f5 alice BUY YES 5 @ 0.52 FOK stp decrement
      placed f5 filled 5 of 5
      fill 5 @ 0.5 mint f5 <- b1
      ended b1 filled 5 of 5
      ended f5 filled 5 of 5
    place f6 alice BUY YES 5 @ 0.52 FOK
      placed f6 filled 5 of 5
      ended a1 cancelled (stp) 0 of 5
      fill 5 @ 0.52 mint f6 <- b2
      ended b2 filled 5 of 5
      ended f6 filled 5 of 5
    book
      bids -
      asks -
  `))

test('a refusal changes nothing, own makers included: what they would free does not count', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 10
      ok
    deposit bob 100
      ok
    place a1 alice BUY NO 10 @ 0.5
      placed a1 live 0 of 10
    place b1 bob BUY NO 10 @ 0.49
      placed b1 live 0 of 10
    place a2 alice BUY YES 20 @ 0.51
      refused insufficient_balance (10200000 of 5000000)
    book
      bids -
      asks 0.5x10 0.51x10
    place a3 alice BUY YES 9.81 @ 0.51 FAK
      refused insufficient_balance (5003100 of 5000000)
    book
      bids -
      asks 0.5x10 0.51x10
  `))

test('post-only that crosses its own order is rejected like any other', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    place a1 alice BUY NO 10 @ 0.5
      placed a1 live 0 of 10
    place a2 alice BUY YES 10 @ 0.5 post-only
      placed a2 rejected (post_only_would_cross) 0 of 10
      ended a2 rejected (post_only_would_cross) 0 of 10
    place a3 alice BUY YES 10 @ 0.5 FAK
      placed a3 rejected (fak_no_match) 0 of 10
      ended a3 rejected (fak_no_match) 0 of 10
    book
      bids -
      asks 0.5x10
  `))
