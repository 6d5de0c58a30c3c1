/** A clock that only moves when told to. Unix milliseconds. */
export interface FakeClock {
  now(): number
  /** Moves by this many milliseconds; negative moves back, as a wall clock may. */
  advance(milliseconds: number): void
}

/** Makes a clock that starts at `start` (Unix milliseconds), by default 2026-01-01 00:00 UTC. */
export function fakeClock(start: number = Date.UTC(2026, 0, 1)): FakeClock {
  let now = start
  return {
    now: () => now,
    advance(milliseconds) {
      now += milliseconds
    },
  }
}
