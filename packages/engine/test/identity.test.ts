import { test } from 'vitest'
import { holds } from './script.ts'

test('an order comes again: its first answer; another under its id: refused', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 100
      ok
    place a1 alice BUY NO 10 @ 0.5
      placed a1 live 0 of 10
    place b1 bob BUY YES 4 @ 0.5
      placed b1 filled 4 of 4
      fill 4 @ 0.5 mint b1 <- a1
      ended b1 filled 4 of 4
    place a1 alice BUY NO 10 @ 0.5
      again: a1 live 0
    place b1 bob BUY YES 4 @ 0.5
      again: b1 filled 4
    place b1 bob BUY YES 5 @ 0.5
      refused duplicate_order
    place b1 bob BUY YES 4 @ 0.5 FAK
      refused duplicate_order
    place b1 alice BUY YES 4 @ 0.5
      refused duplicate_order
    at 599.999
    place b1 bob BUY YES 4 @ 0.5
      again: b1 filled 4
    at 600
    place b1 bob BUY YES 4 @ 0.5
      placed b1 filled 4 of 4
      fill 4 @ 0.5 mint b1 <- a1
      ended b1 filled 4 of 4
  `))

test('a retry is answered before any check that depends on state or time', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    place a1 alice BUY YES 10 @ 0.5 GTD until 100
      placed a1 live 0 of 10
    mode rain paused
      condition rain mode: paused
    at 200
    place a1 alice BUY YES 10 @ 0.5 GTD until 100
      again: a1 live 0
    place a2 alice BUY YES 10 @ 0.5 GTD until 100
      refused market_paused
  `))
