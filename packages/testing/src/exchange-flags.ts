/**
 * How Node runs the exchange. Its event loop stands still while young objects are collected, and every order in flight waits: with a small
 * space for them, collected by the event loop's own thread, that is 1.6 ms (p90 2.7) instead of 4.3 (8.1), at 1 % more of a processor. With
 * several threads it also waits until the others get a processor.
 *
 * Old objects are looked through when there are 128 MB of them: by itself V8 begins at twice what is alive, a few dozen megabytes, so
 * every two seconds under load, and its threads then take the processor that commits wait for. More would save more of that, and look
 * like a leak for longer.
 */
export const EXCHANGE_FLAGS = ['--max-semi-space-size=8', '--no-parallel-scavenge', '--initial-old-space-size=128'] as const
