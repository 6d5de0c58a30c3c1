import { m } from '#lib/paraglide/messages.js'

/** The names that markets everywhere give their outcomes; any other one is somebody's own words. */
const STANDARD: Readonly<Record<string, () => string>> = {
  yes: m.outcome_yes,
  no: m.outcome_no,
  up: m.series_up,
  down: m.series_down,
  over: m.outcome_over,
  under: m.outcome_under,
  draw: m.outcome_draw,
}

/** The name of an outcome in the language of the page, where it is a standard one; what somebody named stays as it is. */
export const outcomeName = (written: string): string => STANDARD[written.toLowerCase()]?.() ?? written
