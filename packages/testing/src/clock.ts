/** A clock that stands still until it is told to move. Milliseconds since 1970. */
export interface FakeClock {
  now(): number
  /** Moves on by so many milliseconds; negative moves back, as a wall clock may. */
  advance(milliseconds: number): void
}

/** A clock that reads `start` (ms) until it is moved. The default is 2026-01-01 00:00 UTC. */
export function fakeClock(start: number = Date.UTC(2026, 0, 1)): FakeClock {
  let now = start
  return {
    now: () => now,
    advance(milliseconds) {
      now += milliseconds
    },
  }
}
