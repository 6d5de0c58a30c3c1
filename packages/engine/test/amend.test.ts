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
    cancel-all stranger
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
