/**
 * How Node runs the exchange. Its event loop stands still while young objects are collected, and every order in flight waits: with a small
 * space for them, collected by the event loop's own thread, that is 1.6 ms (p90 2.7) instead of 4.3 (8.1), at 1 % more of a processor. With
 * several threads it also waits until the others get a processor.
 *
 * Old objects are looked through when there are 128 MB of them: by itself V8 begins at twice what is alive, a few dozen megabytes, so
 * every two seconds under load, and its threads then take the processor that commits wait for. More would save more of that, and look
 * like a leak for longer. One thread does that work: four of them took both processors of a small machine from the event loop at once. With
 * four the p99 of orders at half of the peak was 22 and 26 ms, with one 11, 17, 20 and 21.
 */
export const EXCHANGE_FLAGS = [
  '--max-semi-space-size=8',
  '--no-parallel-scavenge',
  '--initial-old-space-size=128',
  '--concurrent-marking-max-worker-num=1',
] as const
