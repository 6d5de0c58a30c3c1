import { test } from 'vitest'
import { holds } from './script.ts'

test('BUY Yes meets SELL Yes: direct, at the maker price, improvement to the taker', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 100
      ok
    split alice 20
      ok
    place a1 alice SELL YES 20 @ 0.55
      placed a1 live 0 of 20
    place b1 bob BUY YES 12 @ 0.6
      placed b1 filled 12 of 12
      fill 12 @ 0.55 direct b1 <- a1
      ended b1 filled 12 of 12
    money alice bob
      alice: 86.6, rain-NO 20, rain-YES 0 (8 held)
      bob: 93.4, rain-YES 12
    book
      bids -
      asks 0.55x8
  `))

test('SELL No meets BUY No: direct, in steps of No', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 100
      ok
    split bob 20
      ok
    place a1 alice BUY NO 20 @ 0.45
      placed a1 live 0 of 20
    place b1 bob SELL NO 12 @ 0.4
      placed b1 filled 12 of 12
      fill 12 @ 0.45 direct b1 <- a1
      ended b1 filled 12 of 12
    money alice bob
      alice: 91 (3.6 held), rain-NO 12
      bob: 85.4, rain-NO 8, rain-YES 20
  `))

test('BUY Yes meets BUY No: a pair is minted and one USDC a share is locked', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 100
      ok
    place a1 alice BUY NO 10 @ 0.45
      placed a1 live 0 of 10
    place b1 bob BUY YES 10 @ 0.6
      placed b1 filled 10 of 10
      fill 10 @ 0.55 mint b1 <- a1
      ended a1 filled 10 of 10
      ended b1 filled 10 of 10
    money alice bob
      alice: 95.5, rain-NO 10
      bob: 94.5, rain-YES 10
  `))

test('SELL No meets SELL Yes: a pair is merged and what was locked is paid out', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 100
      ok
    split alice 20
      ok
    split bob 20
      ok
    place a1 alice SELL YES 20 @ 0.55
      placed a1 live 0 of 20
    place b1 bob SELL NO 20 @ 0.4
      placed b1 filled 20 of 20
      fill 20 @ 0.45 merge b1 <- a1
      ended a1 filled 20 of 20
      ended b1 filled 20 of 20
    money alice bob
      alice: 91, rain-NO 20
      bob: 89, rain-YES 20
  `))

test('one taker meets makers of both kinds, best price first and oldest first', () =>
  holds(`
    market rain tick 0.01 fee 700
      condition rain registered: open
    deposit m1 100
      ok
    deposit m2 100
      ok
    deposit m3 100
      ok
    deposit tina 100
      ok
    split m1 40
      ok
    place s1 m1 SELL YES 40 @ 0.55
      placed s1 live 0 of 40
    place n2 m2 BUY NO 30 @ 0.45
      placed n2 live 0 of 30
    place n3 m3 BUY NO 50 @ 0.46
      placed n3 live 0 of 50
    place t1 tina BUY YES 100 @ 0.56
      placed t1 filled 100 of 100
      fill 50 @ 0.54 mint t1 <- n3 fee 0.8694
      ended n3 filled 50 of 50
      fill 40 @ 0.55 direct t1 <- s1 fee 0.693
      ended s1 filled 40 of 40
      fill 10 @ 0.55 mint t1 <- n2 fee 0.17325
      ended t1 filled 100 of 100
    money m1 m2 m3 tina
      m1: 82, rain-NO 40
      m2: 86.5 (9 held), rain-NO 10
      m3: 77, rain-NO 50
      tina: 43.76435, rain-YES 100
    book
      bids -
      asks 0.55x20
    book NO
      bids 0.45x20
      asks -
  `))

test('inside a level the oldest goes first; a partly filled one keeps its place', () =>
  holds(`
    market rain
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
    place c1 carol BUY YES 4 @ 0.5
      placed c1 filled 4 of 4
      fill 4 @ 0.5 mint c1 <- a1
      ended c1 filled 4 of 4
    place c2 carol BUY YES 8 @ 0.5
      placed c2 filled 8 of 8
      fill 6 @ 0.5 mint c2 <- a1
      ended a1 filled 10 of 10
      fill 2 @ 0.5 mint c2 <- b1
      ended c2 filled 8 of 8
    place c3 carol BUY YES 20 @ 0.5
      placed c3 partially_filled 8 of 20
      fill 8 @ 0.5 mint c3 <- b1
      ended b1 filled 10 of 10
    book
      bids 0.5x12
      asks -
  `))

test('a sweep through many levels on both ends of the grid', () =>
  holds(`
    market rain tick 0.0001
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 100
      ok
    place a1 alice BUY NO 1 @ 0.9999
      placed a1 live 0 of 1
    place a2 alice BUY NO 1 @ 0.5
      placed a2 live 0 of 1
    place a3 alice BUY NO 1 @ 0.0001
      placed a3 live 0 of 1
    place b1 bob BUY YES 3 @ 0.9999
      placed b1 filled 3 of 3
      fill 1 @ 0.0001 mint b1 <- a1
      ended a1 filled 1 of 1
      fill 1 @ 0.5 mint b1 <- a2
      ended a2 filled 1 of 1
      fill 1 @ 0.9999 mint b1 <- a3
      ended a3 filled 1 of 1
      ended b1 filled 3 of 3
    book
      bids -
      asks -
    place a4 alice BUY NO 1 @ 0.0001
      placed a4 live 0 of 1
    place b2 bob BUY YES 1 @ 0.9998
      placed b2 live 0 of 1
    place b3 bob BUY YES 1 @ 0.0001
      placed b3 live 0 of 1
    book
      bids 0.9998x1 0.0001x1
      asks 0.9999x1
  `))

test('a maker whose time has come never trades: it ends as expired on contact', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 100
      ok
    place a1 alice BUY NO 10 @ 0.5 GTD until 60
      placed a1 live 0 of 10
    place a2 alice BUY NO 5 @ 0.5
      placed a2 live 0 of 5
    at 60
    place b1 bob BUY YES 10 @ 0.5 FOK
      placed b1 rejected (fok_not_filled) 0 of 10
      ended b1 rejected (fok_not_filled) 0 of 10
    place b2 bob BUY YES 5 @ 0.5 FOK
      placed b2 filled 5 of 5
      ended a1 expired (expired) 0 of 10
      fill 5 @ 0.5 mint b2 <- a2
      ended a2 filled 5 of 5
      ended b2 filled 5 of 5
    money alice
      alice: 97.5, rain-NO 5
  `))

test('post-only steps over makers whose time has come', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 100
      ok
    place a1 alice BUY NO 10 @ 0.5 GTD until 60
      placed a1 live 0 of 10
    at 60
    place b1 bob BUY YES 10 @ 0.5 post-only
      placed b1 live 0 of 10
      ended a1 expired (expired) 0 of 10
    book
      bids 0.5x10
      asks -
  `))

test('a finer grid leaves queues and their order alone', () =>
  holds(`
    market rain tick 0.01
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 100
      ok
    place a1 alice BUY NO 10 @ 0.5
      placed a1 live 0 of 10
    place a2 alice BUY NO 10 @ 0.5
      placed a2 live 0 of 10
    place a3 alice BUY YES 10 @ 0.45
      placed a3 live 0 of 10
    tick rain 0.001
      condition rain grid: open
    place a4 alice BUY YES 10 @ 0.455
      placed a4 live 0 of 10
    place b1 bob BUY YES 15 @ 0.5
      placed b1 filled 15 of 15
      fill 10 @ 0.5 mint b1 <- a1
      ended a1 filled 10 of 10
      fill 5 @ 0.5 mint b1 <- a2
      ended b1 filled 15 of 15
    book
      bids 0.455x10 0.45x10
      asks 0.5x5
    tick rain 0.01
      refused invalid_price_tick
    tick rain 0.0025
      refused invalid_price_tick
    tick rain 0.0001
      condition rain grid: open
    book
      bids 0.455x10 0.45x10
      asks 0.5x5
  `))
